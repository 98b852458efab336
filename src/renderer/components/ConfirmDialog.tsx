import { AlertDialog } from 'radix-ui'
import { useFocusReturn } from '#/renderer/lib/focus'
import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'

interface ConfirmDialogProps {
  title: string
  body: string
  /** Label of the confirm button. */
  action: string
  isBusy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  body,
  action,
  isBusy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const handleCloseAutoFocus = useFocusReturn()
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <AlertDialog.Content
          onCloseAutoFocus={handleCloseAutoFocus}
          className="fixed top-1/2 left-1/2 z-50 w-[calc(100vw-32px)] max-w-95 -translate-x-1/2 -translate-y-1/2 rounded-lg border border-line bg-raised p-6 shadow-card"
        >
          <AlertDialog.Title className="font-semibold text-[17px]">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-[14px] text-quiet">{body}</AlertDialog.Description>
          <div className="mt-6 flex justify-end gap-2.5">
            <AlertDialog.Cancel asChild>
              <Button>{texts.cancel}</Button>
            </AlertDialog.Cancel>
            <Button variant="primary" onClick={onConfirm} disabled={isBusy}>
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
