import { MESSAGE_EDIT_MINUTES } from '#/shared/limits'
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
