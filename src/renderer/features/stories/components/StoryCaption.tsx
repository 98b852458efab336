import type { ReactNode } from 'react'
import { RichText } from '#/renderer/components/RichText'
import { texts } from '#/renderer/lib/texts'
import { useIsClipped } from './useIsClipped'

/** From these lengths on, in characters, a caption is set smaller, so that it leaves the picture its place. */
const LONG = 90
const VERY_LONG = 240

function sizeOf(text: string): string {
  if (text.length > VERY_LONG) return 'font-sans text-[15px] leading-normal'
  return text.length > LONG
    ? 'font-display text-[19px] leading-snug'
    : 'font-display text-[26px] leading-tight'
}

/** White on any picture, so told apart by their line. */
const LINK_CLASS =
  'rounded-sm font-medium underline decoration-1 underline-offset-4 outline-white hover:decoration-2'

/** The foot of the frame: dark enough behind what stands there that white words can be read on a white picture. */
export function StoryFoot({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-x-0 bottom-0 z-10 bg-[linear-gradient(to_bottom,transparent,#00000099_88px,#000000b8)] pt-20">
      {children}
    </div>
  )
}

interface StoryCaptionProps {
  text: string
  /** All of it is shown, where it is a long one. */
  isOpen: boolean
  onToggle: (willBeOpen: boolean) => void
  /** As it will look, without links that lead away from the form. */
  isPreview?: boolean
}

/** The caption over the media: its first lines, and all of it when that is asked for. */
export function StoryCaption({ text, isOpen, onToggle, isPreview = false }: StoryCaptionProps) {
  const [words, isClipped] = useIsClipped<HTMLParagraphElement>()
  return (
    <div data-press={isOpen ? 'own' : undefined} className="px-6 pb-5">
      <p
        ref={words}
        dir="auto"
        className={`text-pretty break-words [text-shadow:0_1px_10px_#00000080] ${sizeOf(text)} ${
          isOpen ? 'max-h-[56cqh] overflow-y-auto overscroll-contain outline-white' : 'line-clamp-4'
        }`}
      >
        <RichText text={text} linkClass={LINK_CLASS} isPreview={isPreview} />
      </p>
      {(isClipped || isOpen) && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onToggle(!isOpen)}
          className="-ms-2 mt-1 h-7 rounded-full px-2 font-semibold text-[13.5px] text-white outline-white hover:bg-white/15"
        >
          {isOpen ? texts.stories.less : texts.stories.more}
        </button>
      )}
    </div>
  )
}
