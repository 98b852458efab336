import type { Attempt } from '../attempt'

/** A photo that goes with a message: the full picture's row, and what the message itself carries. */
export interface OutgoingPhoto {
  id: string
  image_url: string
  thumbnail_url: string
  image_width: number
  image_height: number
}

/** A message the member has sent and the server has not acknowledged. */
export interface OutgoingMessage {
  /** Made here: however often it is sent, it is one message. */
  id: string
  conversation_id: string
  content: string
  reply_to_id?: string
  photo?: OutgoingPhoto
  /** What some of it was sent as before, without an answer: what the server has of that is not said again. */
  earlier?: Attempt
  story_id?: string
  /** When it was written, by this machine's clock; the server sets its own. */
  created_at: string
  state: 'waiting' | 'sending' | 'refused'
  /** The window that is sending it for the first time. */
  sentBy?: string
  /** Why the server refused it, in words for the member; may be empty. */
  reason?: string
}

/** What a screen gives to be sent. With the same `id` a second try cannot make a second message. */
export type MessageDraft = Omit<OutgoingMessage, 'id' | 'created_at' | 'state' | 'sentBy' | 'reason'> & {
  id?: string
}
