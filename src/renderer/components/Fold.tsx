import type { ReactNode } from 'react'
import { type FOLD_SIZES, foldedText } from '#/renderer/lib/layout/fold'
import { OWN_DIRECTION } from './clipped-text'
import { FoldButton, useFold } from './FoldButton'
import { RichText } from './RichText'

interface FoldProps {
  id: string
  text: string
  place: keyof typeof FOLD_SIZES
  /** Of the paragraph. */
  className?: string
  buttonClass?: string
  onUnfold?: () => void
  /** What stands before the text. */
  children?: ReactNode
}

/** A paragraph with a member's rich text. A long one is folded, and can be unfolded with a button below it. */
export function Fold({ id, text, place, className = '', buttonClass, onUnfold, children }: FoldProps) {
  const fold = useFold<HTMLParagraphElement>(id, text, place)
  return (
    <>
      <p {...fold.text} className={`${className} ${fold.text.className} ${OWN_DIRECTION}`}>
        {children !== undefined && <>{children} </>}
        <RichText text={fold.isFolded ? foldedText(text) : text} />
      </p>
      {fold.isLong && (
        <FoldButton
          isFolded={fold.isFolded}
          onToggle={(isFolded) => {
            if (!isFolded) onUnfold?.()
            fold.setFolded(isFolded)
          }}
          {...(buttonClass !== undefined && { className: buttonClass })}
        />
      )}
    </>
  )
}
