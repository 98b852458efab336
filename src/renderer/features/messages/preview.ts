import { texts } from '#/renderer/lib/texts'
import type { LatestMessage } from './message'

/** A conversation's last message in one line, as the list shows it. */
export function previewOf(latest: LatestMessage | null, me: string): string {
  if (latest === null) return texts.messages.preview.none
  const isOwn = latest.sender_id === me
  if (latest.deleted_at !== null) return texts.messages.preview.deleted
  const text = latest.content.replace(/\s+/gu, ' ').trim()
  return isOwn ? texts.messages.preview.own(text) : text
}
