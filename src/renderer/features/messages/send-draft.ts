import { logFailure } from '#/renderer/lib/logger'
import { discardRow, submit, untilOpen } from '#/renderer/lib/outbox/active'
import type { OutboxRow } from '#/renderer/lib/outbox/row'
import { clearDraftAttachments, getDraftAttachments } from './draft-attachments'
import { draftKey, getDraftText, setDraft } from './drafts'
import type { NewMessage } from './new-message'
import { returnToField } from './return-to-field'
import { messageKind, messageScope } from './send-message'

/** Sends a message through the outbox; see `Outbox.submit`. With the same id a repeated send is one message. */
export function sendMessage(message: NewMessage, id?: string): Promise<'sent' | 'waiting'> {
  const scope = messageScope(message.conversation_id)
  return submit(messageKind, { scope, payload: message, ...(id !== undefined && { id }) })
}

function isInField({ conversation_id, content, photo }: NewMessage): boolean {
  const chosen = getDraftAttachments(conversation_id).photo
  const inField = chosen.state === 'ready' ? chosen.photo : undefined
  return getDraftText(conversation_id).trim() === content && inField?.id === photo?.id
}

/**
 * Sends what is in the field of a conversation, and empties the field. `onFailed` is called when the server refuses it, or a
 * message sent before it: it is in the field again then (MSG-04).
 */
export async function sendDraft(message: NewMessage, onFailed: () => void): Promise<void> {
  const { conversation_id } = message
  try {
    await untilOpen()
    // It was sent or changed meanwhile, or its member signed out.
    if (!isInField(message)) return
    setDraft(conversation_id, '')
    clearDraftAttachments(draftKey(conversation_id))
    await sendMessage(message)
  } catch (cause) {
    logFailure('send message', cause)
    onFailed()
  }
}

/** Puts a message that the server refused after it was queued back into the field (MSG-09). */
export async function editRefused(id: string): Promise<void> {
  const row = (await discardRow(id)) as OutboxRow<NewMessage> | null
  if (row !== null) returnToField([row.payload])
}
