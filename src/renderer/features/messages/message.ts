import type { PhotoNote, PreparedPicture } from '#/renderer/lib/media'
import type { Tables } from '#/shared/database.types'
import type { SharedItem } from './model/shared'

export type Message = Tables<'messages'>

export const MESSAGE_COLUMNS =
  'id,conversation_id,sender_id,recipient_id,content,created_at,edited_at,read,read_at,deleted_at,forwarded,reply_to_id,media_id,thumbnail_url,thumbhash,image_width,image_height,story_id,answers_story,shared_kind,shared_post_id,shared_story_id,shared_profile_id,sender_reaction,recipient_reaction'

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
