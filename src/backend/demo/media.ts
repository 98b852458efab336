import type { Row } from './insert-rows'
import type { DemoAvatar, DemoPhoto } from './pictures'

/**
 * Stores the demo's pictures for its rows, either as objects or inline. Each function returns the columns that refer to them, always
 * the same ones.
 */
export interface DemoMedia {
  avatar(owner: string, picture: DemoAvatar): Row
  /** The columns of the post, and its rows of post_photos. Inline, a post has only its first picture. */
  post(post: { id: string; user_id: string }, pictures: readonly DemoPhoto[]): { columns: Row; photos: Row[] }
  story(owner: string, picture: DemoPhoto): Row
  /** The columns of the message and those of its row of message_media. */
  message(sender: string, picture: DemoPhoto | null): { columns: Row; photoColumns: Row }
}
