/** A photo that goes with a message: the full picture's row, and what the message itself carries. */
export interface OutgoingPhoto {
  id: string
  image_url: string
  thumbnail_url: string
  image_width: number
  image_height: number
}

/** A message as it leaves its field. */
export interface NewMessage {
  conversation_id: string
  content: string
  reply_to_id?: string
  photo?: OutgoingPhoto
  /** The story it replies to. */
  story_id?: string
}
