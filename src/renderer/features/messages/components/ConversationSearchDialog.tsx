import { Dialog } from '#/renderer/components/Dialog'
import { texts } from '#/renderer/lib/texts'
import { MessageSearch } from './MessageSearch'

interface ConversationSearchDialogProps {
  conversationId: string
  otherName: string
  onClose: () => void
}

/** Finds messages of one conversation; choosing one closes the dialog and scrolls to it. */
export function ConversationSearchDialog({
  conversationId,
  otherName,
  onClose,
}: ConversationSearchDialogProps) {
  return (
    <Dialog title={texts.messages.searchIn(otherName)} onClose={onClose}>
      <div className="-mx-6 flex h-[min(420px,60dvh)] flex-col">
        <MessageSearch conversationId={conversationId} onChoose={onClose} />
      </div>
    </Dialog>
  )
}
