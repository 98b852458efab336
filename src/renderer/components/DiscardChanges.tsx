import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'

interface DiscardChangesProps {
  onDiscard: () => void
  isLocked: boolean
}

/** Resets a form to the stored values; the first button of its row. */
export function DiscardChanges({ onDiscard, isLocked }: DiscardChangesProps) {
  return (
    <Button
      variant="quiet"
      onClick={onDiscard}
      disabled={isLocked}
      className="-ms-4.5 me-auto max-sm:basis-full max-sm:justify-start"
    >
      {texts.discardChanges}
    </Button>
  )
}
