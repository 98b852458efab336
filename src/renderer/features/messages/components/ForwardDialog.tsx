import { useQueryClient } from '@tanstack/react-query'
import { Dialog } from '#/renderer/components/Dialog'
import { texts } from '#/renderer/lib/texts'
import { forwardContent } from '../forward'
import type { Message } from '../message'
import { SendToMembers } from './SendToMembers'

interface ForwardDialogProps {
  message: Message
  onClose: () => void
}

/** Sends a message on to members (MSG-14). */
export function ForwardDialog({ message, onClose }: ForwardDialogProps) {
  const client = useQueryClient()
  return (
    <Dialog title={texts.messages.forwardTitle} onClose={onClose}>
      <SendToMembers makeContent={() => forwardContent(client, message)} hasText={false} onSent={onClose} />
    </Dialog>
  )
}
