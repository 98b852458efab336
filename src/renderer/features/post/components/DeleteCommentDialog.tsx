import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { texts } from '#/renderer/lib/texts'

interface DeleteCommentDialogProps {
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before a comment is deleted. Separate, so that the first load does not contain the dialog. */
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
