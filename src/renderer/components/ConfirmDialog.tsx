import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useFocusReturn } from '#/renderer/lib/browser/focus'
import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'

interface ConfirmDialogProps {
  title: string
  body: string
  /** Content between the question and the buttons. */
  children?: ReactNode
  /** Label of the confirm button. */
  action: string
  /** Another way to go on. */
  alternative?: { action: string; onConfirm: () => void }
  isBusy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  body,
  children,
  action,
  alternative,
  isBusy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const handleCloseAutoFocus = useFocusReturn()
  const cancel = (
    <AlertDialog.Cancel asChild>
      <Button>{texts.cancel}</Button>
    </AlertDialog.Cancel>
  )
  const confirm = (
    // A new element for each question: the second press of Enter, and the second click of a double click, answer none.
    <Button
      key={action}
      variant="primary"
      onClick={(event) => event.detail < 2 && onConfirm()}
      disabled={isBusy}
    >
      {action}
    </Button>
  )
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
          {children}
          {alternative === undefined ? (
            <div className="mt-6 flex justify-end gap-2.5">
              {cancel}
              {confirm}
            </div>
          ) : (
            <div className="mt-6 grid gap-2.5">
              {confirm}
              <Button variant="danger" onClick={alternative.onConfirm} disabled={isBusy}>
                {alternative.action}
              </Button>
              {cancel}
            </div>
          )}
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
