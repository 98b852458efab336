import type { SquareCrop } from './crop'
import type { MediaErrorCode } from './media-error'

/** A picture made ready to be stored: two data URLs, and the size of the larger one in pixels. */
export interface PreparedPicture {
  dataUrl: string
  thumbnailUrl: string
  width: number
  height: number
}

/** What the page asks of the picture worker; every answer carries the same `id`. */
export interface PictureRequest {
  id: number
  source: Blob
  /** Of a profile picture: what is kept of it. Without one the whole is made ready for a post. */
  crop?: SquareCrop
}

export type PictureAnswer =
  | { id: number; type: 'progress'; fraction: number }
  | { id: number; type: 'done'; picture: PreparedPicture }
  | { id: number; type: 'cropped'; dataUrl: string }
  | { id: number; type: 'refused'; code: MediaErrorCode }
