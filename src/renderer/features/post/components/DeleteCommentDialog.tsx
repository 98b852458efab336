import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { texts } from '#/renderer/lib/texts'

interface DeleteCommentDialogProps {
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before a comment goes. */
export function DeleteCommentDialog(props: DeleteCommentDialogProps) {
  return (
    <ConfirmDialog
      title={texts.post.deleteCommentTitle}
      body={texts.post.deleteCommentBody}
      action={texts.delete}
      {...props}
    />
  )
}
