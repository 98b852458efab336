import { type Ref, useLayoutEffect, useRef } from 'react'
import { exceedsLines, FOLD_SIZES } from '#/renderer/lib/layout/fold'
import { setUnfolded, useIsUnfolded } from '#/renderer/lib/layout/unfolded-store'
import { texts } from '#/renderer/lib/texts'
import { CLIPPED_TEXT } from './clipped-text'

interface FoldState<T> {
  isLong: boolean
  isFolded: boolean
  setFolded: (isFolded: boolean) => void
  /** Of the element with the text. */
  text: { ref: Ref<T>; className: string; onScroll?: () => void }
}

/**
 * Folds a member's long text to its first lines.
 * @param id of what it belongs to
 */
export function useFold<T extends HTMLElement>(
  id: string,
  text: string,
  place: keyof typeof FOLD_SIZES,
): FoldState<T> {
  const isUnfolded = useIsUnfolded(id)
  const { columns, over, shown } = FOLD_SIZES[place]
  const isLong = exceedsLines(text, columns, over)
  const isFolded = isLong && !isUnfolded
  const ref = useRef<T>(null)
  const wasFolded = useRef(isFolded)
  useLayoutEffect(() => {
    if (wasFolded.current === isFolded) return
    wasFolded.current = isFolded
    // Folded at its end: its first lines are far above. Unfolded by the focus: what has the focus is further down now.
    const found = isFolded ? ref.current : ref.current?.querySelector(':focus')
    found?.scrollIntoView({ block: 'nearest' })
  }, [isFolded])
  const setFolded = (isNowFolded: boolean) => setUnfolded(id, !isNowFolded)
  return {
    isLong,
    isFolded,
    setFolded,
    text: {
      ref,
      className: `-mx-1 px-1 scroll-mt-18 ${isFolded ? `overflow-x-clip ${shown}` : CLIPPED_TEXT}`,
      // The browser scrolls a folded text to a link that Tab focuses in its hidden part, or to what its search finds there.
      ...(isFolded && { onScroll: () => setFolded(false) }),
    },
  }
}

interface FoldButtonProps {
  isFolded: boolean
  onToggle: (isFolded: boolean) => void
  className?: string
}

export function FoldButton({ isFolded, onToggle, className = 'text-quiet hover:text-ink' }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      onClick={() => onToggle(!isFolded)}
      className={`min-h-6 rounded-sm font-sans ${className}`}
    >
      {isFolded ? texts.more : texts.less}
    </button>
  )
}
