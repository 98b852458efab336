import type { Tables } from '#/shared/database.types'

export type Message = Tables<'messages'>

export const MESSAGE_COLUMNS =
  'id,conversation_id,sender_id,recipient_id,content,created_at,read,read_at,deleted_at,reply_to_id,photo_id,thumbnail_url,image_width,image_height,story_id,answers_story,sender_reaction,recipient_reaction'
