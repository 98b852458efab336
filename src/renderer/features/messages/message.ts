import type { PhotoNote, PreparedPicture } from '#/renderer/lib/media'
import type { Tables } from '#/shared/database.types'
import type { SharedItem } from './model/shared'

/** A message as its table has it: what a write returns and a live event brings. */
export type StoredMessage = Omit<Tables<'messages'>, 'recipient_id'>

/** A member's reaction to a message: one of each member. */
export type StoredReaction = Pick<Tables<'message_reactions'>, 'member_id' | 'emoji'>

export interface Message extends StoredMessage {
  reactions: readonly StoredReaction[]
}

/** A message that was read or written. Without reactions, the known ones stay. */
export interface MessageUpdate extends StoredMessage {
  reactions?: readonly StoredReaction[]
}

export const STORED_COLUMNS =
  'id,conversation_id,sender_id,content,created_at,edited_at,read,read_at,deleted_at,forwarded,reply_to_id,media_id,thumbnail_url,thumbhash,image_width,image_height,story_id,answers_story,shared_kind,shared_post_id,shared_story_id,shared_profile_id'

export const MESSAGE_COLUMNS = `${STORED_COLUMNS},reactions:message_reactions(member_id,emoji)` as const

/** A photo of a message. It has its own row; its thumbnail or ThumbHash is in the message. */
export interface OutgoingPhoto {
  /** Only while it is in the draft. */
  note?: PhotoNote
  id: string
  picture: PreparedPicture
}

/** A message to be sent. */
export interface NewMessage {
  conversation_id: string
  content: string
  /** The content before it was trimmed, if that differs: what returns to the field. */
  typed?: string
  reply_to_id?: string
  photo?: OutgoingPhoto
  /** The story that it replies to. */
  story_id?: string
  /** The post, story or profile that it shares. */
  shared?: SharedItem
  /** Whether it passes on another message. */
  forwarded?: boolean
}
