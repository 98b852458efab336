import type { MessageRow } from '#/renderer/lib/live'
import { texts } from '#/renderer/lib/texts'

/** What a list shows of a conversation's last message. */
export type LatestMessage = Pick<
  MessageRow,
  'id' | 'sender_id' | 'content' | 'created_at' | 'deleted_at' | 'photo_id' | 'answers_story'
>

/** What a message says in one line, e.g. where it is quoted. */
export function lineOf({
  content,
  deleted_at,
  photo_id,
}: Pick<LatestMessage, 'content' | 'deleted_at' | 'photo_id'>): string {
  if (deleted_at !== null) return texts.messages.preview.deleted
  const text = content.replace(/\s+/gu, ' ').trim()
  return text === '' && photo_id !== null ? texts.messages.preview.photo : text
}

/** A conversation's last message in one line, as the list shows it. */
export function previewOf(latest: LatestMessage | null, me: string): string {
  const { preview } = texts.messages
  if (latest === null) return preview.none
  const isOwn = latest.sender_id === me
  if (latest.deleted_at !== null) return preview.deleted
  if (latest.answers_story) return isOwn ? preview.answeredTheirStory : preview.answeredYourStory
  return isOwn ? preview.own(lineOf(latest)) : lineOf(latest)
}
