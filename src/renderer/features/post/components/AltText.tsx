import { useId, useState } from 'react'
import { texts } from '#/renderer/lib/texts'

interface AltTextProps {
  text: string
  /** Where the picture begins in that element, and where it ends below, as CSS; at its edges by default. */
  start?: string
  bottom?: string
}

/** Shows a picture's alt text on demand, at its lower edge. Stands in an element that is positioned. */
export function AltText({ text, start = '0', bottom = '0' }: AltTextProps) {
  const [isShown, setIsShown] = useState(false)
  const id = useId()
  return (
    <div
      style={{ insetInlineStart: start, bottom }}
      className="pointer-events-none absolute end-0 z-10 flex max-h-full items-end gap-2 p-2.5"
    >
      <button
        type="button"
        title={texts.post.altHint}
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        onClick={() => setIsShown(!isShown)}
        className="pointer-events-auto h-6 shrink-0 rounded-sm bg-black/70 px-1.5 font-semibold text-[11.5px] text-white tracking-wide hover:bg-black/85"
      >
        {texts.post.alt}
      </button>
      {isShown && (
        <p
          id={id}
          dir="auto"
          className="pointer-events-auto max-h-60 min-w-0 animate-appear overflow-y-auto whitespace-pre-line rounded-sm bg-black/80 px-3 py-2 text-[13.5px] text-white [overflow-wrap:anywhere]"
        >
          {text}
        </p>
      )}
    </div>
  )
}
