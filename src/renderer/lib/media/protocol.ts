import type { SquareCrop } from './crop'
import type { MediaErrorCode } from './media-error'

/** A picture ready for storage: two data URLs, and the size of the larger one in pixels. */
export interface PreparedPicture {
  dataUrl: string
  thumbnailUrl: string
  width: number
  height: number
}

/** A request to the picture worker. Every response has the same `id`. */
export interface PictureRequest {
  id: number
  source: Blob
  /** The square to keep for a profile picture. Without it the whole picture is prepared for a post. */
  crop?: SquareCrop
}

export type PictureAnswer =
  | { id: number; type: 'progress'; fraction: number }
  | { id: number; type: 'done'; picture: PreparedPicture }
  | { id: number; type: 'cropped'; dataUrl: string }
  | { id: number; type: 'refused'; code: MediaErrorCode }
