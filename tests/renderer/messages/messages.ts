import type { Message } from '#/renderer/features/messages/message'
import { sharedColumns } from '#/renderer/features/messages/model/shared'
import type { Mark } from '#/renderer/lib/live'

export const ME = 'me'
export const OTHER = 'other'

/** The mark up to a message. */
export const markAt = ({ created_at, id }: Message): Mark => ({ mark_at: created_at, mark_id: id })
export const NO_MARK: Mark = { mark_at: null, mark_id: null }

/** A message at a minute after noon, local time. */
export function message(id: string, minute: number, values: Partial<Message> = {}): Message {
  const sender_id = values.sender_id ?? OTHER
  const at = new Date(2026, 10, 21, 12, minute)
  return {
    id,
    conversation_id: 'conversation',
    sender_id,
    content: id,
    read: true,
    read_at: null,
    created_at: at.toISOString(),
    deleted_at: null,
    edited_at: null,
    forwarded: false,
    reply_to_id: null,
    media_id: null,
    thumbnail_url: null,
    thumbhash: null,
    image_width: null,
    image_height: null,
    story_id: null,
    answers_story: false,
    ...sharedColumns(undefined),
    reactions: [],
    ...values,
  }
}
