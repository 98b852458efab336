import type { Database } from '#/shared/database.types'

/** A message as the database has it, and as the live connection tells of it. */
export type Message = Database['public']['Tables']['messages']['Row']

/** What is read of a message: all of it. Full photos are rows of their own. */
export const MESSAGE_COLUMNS =
  'id,conversation_id,sender_id,recipient_id,content,read,read_at,created_at,deleted_at,reply_to_id,photo_id,thumbnail_url,image_width,image_height,story_id,answers_story,sender_reaction,recipient_reaction'

/** What a list shows of a conversation's last message. */
export type LatestMessage = Pick<
  Message,
  'id' | 'sender_id' | 'content' | 'created_at' | 'deleted_at' | 'photo_id' | 'answers_story'
>

type Placed = Pick<Message, 'id' | 'created_at'>

/** The digits behind the second: the database counts microseconds, a JavaScript date milliseconds. */
function fraction(iso: string): string {
  return (/\.(\d+)/.exec(iso)?.[1] ?? '').padEnd(6, '0')
}

/** Orders messages as the database does, oldest first: by time, then by id. */
export function byTime(a: Placed, b: Placed): number {
  const difference = Date.parse(a.created_at) - Date.parse(b.created_at)
  if (difference !== 0) return difference
  const [left, right] = [fraction(a.created_at) + a.id, fraction(b.created_at) + b.id]
  return left < right ? -1 : left > right ? 1 : 0
}
