import { Dialog } from '#/renderer/components/Dialog'
import { MessageSearch } from './MessageSearch'

interface ConversationSearchDialogProps {
  conversationId: string
  title: string
  onClose: () => void
}

/** Finds messages of one conversation; choosing one closes the dialog and scrolls to it. */
export function ConversationSearchDialog({ conversationId, title, onClose }: ConversationSearchDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="-mx-6 flex h-[min(420px,60dvh)] flex-col">
        <MessageSearch conversationId={conversationId} onChoose={onClose} />
      </div>
    </Dialog>
  )
}
