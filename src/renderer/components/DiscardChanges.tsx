import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'

interface DiscardChangesProps {
  onDiscard: () => void
  isLocked: boolean
}

/** Brings back what is stored, at the start of a form's row of buttons. */
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
