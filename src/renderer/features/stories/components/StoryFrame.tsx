import { type ReactNode, type RefCallback, useCallback, useEffect, useRef, useState } from 'react'
import { OWN_DIRECTION } from '#/renderer/components/clipped-text'
import { FoldButton } from '#/renderer/components/FoldButton'
import { RichText } from '#/renderer/components/RichText'

/** The upright frame of stories and of their preview; dark in both themes. */
export function StoryFrame({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div className={`relative isolate overflow-hidden bg-black text-white scheme-dark ${className}`}>
      {children}
    </div>
  )
}

/** In pixels: small, because the canvas is blurred and scaled up. */
const BACKDROP = { width: 36, height: 64, blur: 3 }

/**
 * A blurred thumbnail behind media of another aspect ratio than the frame. Blurring at full size would cost more than
 * everything else when a story opens.
 */
export function Backdrop({ thumbnail }: { thumbnail: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const image = new Image()
    let isMounted = true
    image.src = thumbnail
    // StoryMedia reports pictures that cannot be decoded.
    image.decode().then(
      () => isMounted && canvas.current !== null && drawBlurred(image, canvas.current),
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [thumbnail])
  return (
    <canvas
      ref={canvas}
      width={BACKDROP.width}
      height={BACKDROP.height}
      className="absolute inset-0 size-full scale-120 opacity-70"
    />
  )
}

/** Covers the canvas with the blurred picture. */
function drawBlurred(image: HTMLImageElement, canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const scale = Math.max(canvas.width / image.naturalWidth, canvas.height / image.naturalHeight)
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale]
  context.imageSmoothingQuality = 'high'
  context.filter = `blur(${BACKDROP.blur}px) saturate(1.25)`
  context.drawImage(image, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
}

export const MEDIA_CLASS = 'absolute inset-0 size-full object-contain'

/** Captions longer than this, in characters, have a smaller font. */
const LONG = 90
const VERY_LONG = 240

function fontClass(text: string): string {
  if (text.length > VERY_LONG) return 'font-sans text-[15px] leading-normal'
  return text.length > LONG
    ? 'font-display text-[19px] leading-snug'
    : 'font-display text-[26px] leading-tight'
}

/** Underlined, because links have the same colour as the text. */
const LINK_CLASS =
  'rounded-sm font-medium underline decoration-1 underline-offset-4 outline-white hover:decoration-2'

/** The lower part of the frame, dark enough for white text over a white picture. */
export function StoryFoot({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-x-0 bottom-0 z-10 bg-[linear-gradient(to_bottom,transparent,#00000099_88px,#000000b8)] pt-20">
      {children}
    </div>
  )
}

interface StoryCaptionProps {
  text: string
  /** A long caption is expanded. */
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Links do not navigate. */
  isPreview?: boolean
}

/** The caption over the media: its first lines, or all of it when expanded. */
export function StoryCaption({ text, isOpen, onToggle, isPreview = false }: StoryCaptionProps) {
  const [textRef, isClipped] = useIsClipped<HTMLParagraphElement>()
  return (
    <div data-press={isOpen ? 'own' : undefined} className="px-6 pb-5">
      <p
        ref={textRef}
        className={`${OWN_DIRECTION} text-pretty break-words [text-shadow:0_1px_10px_#00000080] ${fontClass(text)} ${
          isOpen ? 'max-h-[56cqh] overflow-y-auto overscroll-contain outline-white' : 'line-clamp-4'
        }`}
      >
        <RichText text={text} linkClass={LINK_CLASS} isPreview={isPreview} />
      </p>
      {(isClipped || isOpen) && (
        <FoldButton
          isFolded={!isOpen}
          onToggle={(isFolded) => onToggle(!isFolded)}
          className="-ms-2 mt-1 h-7 rounded-full px-2 font-semibold text-[13.5px] text-white outline-white hover:bg-white/15"
        />
      )}
    </div>
  )
}

/** Whether the element with this ref clips its content. */
function useIsClipped<T extends HTMLElement>(): [RefCallback<T>, boolean] {
  const [isClipped, setIsClipped] = useState(false)
  const ref = useCallback((element: T | null) => {
    if (element === null) return
    const measure = () => setIsClipped(element.scrollHeight > element.clientHeight + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // Typing in the form changes the text without resizing the element.
    const textObserver = new MutationObserver(measure)
    textObserver.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      textObserver.disconnect()
    }
  }, [])
  return [ref, isClipped]
}
