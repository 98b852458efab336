import { MESSAGE_EDIT_MINUTES } from '#/shared/limits'
import type { Editing } from '../editing-store'
import type { Message } from '../message'

const EDIT_MS = MESSAGE_EDIT_MINUTES * 60_000

/** Whether a member may still edit a message; the server decides. `now` in milliseconds, by its clock. */
export function canEdit(
  {
    sender_id,
    content,
    deleted_at,
    created_at,
  }: Pick<Message, 'sender_id' | 'content' | 'deleted_at' | 'created_at'>,
  me: string,
  now: number,
): boolean {
  return sender_id === me && deleted_at === null && content !== '' && now - Date.parse(created_at) < EDIT_MS
}

/** The messages with the texts that are being saved. */
export function withSavedEdits(messages: readonly Message[], edits: readonly Editing[]): readonly Message[] {
  const saving = new Map(
    edits.flatMap(({ message, text, stage }) => (stage === 'saving' ? [[message.id, text]] : [])),
  )
  if (saving.size === 0) return messages
  return messages.map((message) => ({ ...message, content: saving.get(message.id) ?? message.content }))
}
