import type { MediaErrorCode } from '#/renderer/lib/media/source/media-error'
import type { Dimensions } from '#/shared/media-formats'
import type { PictureEdit, SquareCrop } from './picture-edit'

/** A picture as builds before 0.2 prepared it for a server without Storage: two data URLs, and the size of the larger one in pixels. */
interface InlinePicture {
  dataUrl: string
  thumbnailUrl: string
  width: number
  height: number
}

/** A prepared picture: a file per size, its ThumbHash in base64, and the size in pixels and the colours of the full one. */
export interface StoredPicture {
  full: Blob
  /** Missing if the full picture is no larger, and in pictures that an older version prepared. */
  middle?: Blob
  feed: Blob
  grid: Blob
  thumbhash: string
  width: number
  height: number
  /** Missing in pictures that an older version prepared. */
  colorSpace?: PredefinedColorSpace
}

/** A prepared picture, which an earlier build may have left on the device. */
export type PreparedPicture = StoredPicture | InlinePicture

/** A request to the picture worker. Every response has the same `id`. */
export interface PictureRequest {
  id: number
  source: Blob
  /** The square to keep for a profile picture. Without it the whole picture is prepared for a post. */
  crop?: SquareCrop
  /** The member's edit of the photo of a post. */
  edit?: PictureEdit
  /**
   * A small version is to be shown, not prepared, with the edit of the request. `isQuick`: only if that takes no second or more, as
   * most photos in HEIC and TIFF do.
   */
  preview?: { side: number; isQuick: boolean }
}

/** A chosen file as a page can show it, the size of the whole photo, both upright, and the colours in which it is drawn. */
export interface ViewablePicture extends Dimensions {
  source: Blob
  preview: Blob
  colorSpace: PredefinedColorSpace
}

export type PictureAnswer =
  | { id: number; type: 'progress'; fraction: number }
  | { id: number; type: 'done'; picture: StoredPicture }
  | { id: number; type: 'cropped'; avatar: Blob }
  /** Null if the format has no small version. */
  | { id: number; type: 'previewed'; picture: ViewablePicture | null }
  | { id: number; type: 'refused'; code: MediaErrorCode }

export interface PrepareOptions {
  /** Aborts the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Receives the fraction done, from 0 to 1. */
  onProgress?: (fraction: number) => void
}

/** Options with the member's edit of the photo. */
export interface EditOptions extends PrepareOptions {
  edit?: PictureEdit
  /** Of the whole photo. Without it, no other picture is prepared meanwhile. */
  size?: Dimensions
}
