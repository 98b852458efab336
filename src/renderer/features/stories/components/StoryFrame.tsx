import { type ReactNode, useEffect, useRef } from 'react'

/** The upright frame that stories are watched in, and previewed in as they will be watched; always dark. */
export function StoryFrame({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div className={`relative isolate overflow-hidden bg-black text-white scheme-dark ${className}`}>
      {children}
    </div>
  )
}

/** Of the backdrop's own pixels: few, since all of them are scaled up and blurred. */
const BACKDROP = { width: 36, height: 64, blur: 3 }

/**
 * A still, blurred to what surrounds media of another shape than the frame. It is blurred tiny and scaled up: at its
 * full size that would cost more than all else of opening a story.
 */
export function Backdrop({ still }: { still: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const image = new Image()
    let isWanted = true
    image.src = still
    // What cannot be decoded is told by the media themselves.
    image.decode().then(
      () => isWanted && canvas.current !== null && drawBlurred(image, canvas.current),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [still])
  return (
    <canvas
      ref={canvas}
      width={BACKDROP.width}
      height={BACKDROP.height}
      className="absolute inset-0 size-full scale-120 opacity-70"
    />
  )
}

/** Covers the whole canvas with the picture, in its own colours but softer. */
function drawBlurred(image: HTMLImageElement, canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const scale = Math.max(canvas.width / image.naturalWidth, canvas.height / image.naturalHeight)
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale]
  context.imageSmoothingQuality = 'high'
  context.filter = `blur(${BACKDROP.blur}px) saturate(1.25)`
  context.drawImage(image, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
}

/** How media fill the frame: whole and sharp. */
export const MEDIA_CLASS = 'absolute inset-0 size-full object-contain'
