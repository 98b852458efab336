import { restoreDraftAttachments } from './draft-attachments'
import { draftKey, isHere, joinTexts, restoreDraft } from './drafts'
import type { NewMessage } from './new-message'

/** Puts messages of one conversation back into its field, in their order, before what was typed since (MSG-04). */
export function returnToField(messages: readonly NewMessage[]): void {
  const [first] = messages
  if (first === undefined) return
  const key = draftKey(first.conversation_id)
  if (!isHere(key)) return
  restoreDraft(key, joinTexts(...messages.map(({ content }) => content)))
  restoreDraftAttachments(key, {
    replyToId: first.reply_to_id ?? null,
    // A photo cannot be chosen while another is being sent: there is one at most.
    photo: messages.find(({ photo }) => photo !== undefined)?.photo ?? null,
  })
}
