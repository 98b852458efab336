/** Why a chosen file was refused. The sentences for members are in the text catalogue, one for each code. */
export type MediaErrorCode =
  /** Zero bytes. */
  | 'empty'
  /** More bytes than SOURCE_LIMITS allow. */
  | 'too-large'
  /** More pixels than SOURCE_LIMITS allow, by its header or once decoded. */
  | 'too-many-pixels'
  /** Neither a picture nor anything that looks like one, whatever its name says. */
  | 'not-a-picture'
  /** A picture of a kind that Chromium cannot decode (HEIC, TIFF, JPEG XL) or that is no photograph (SVG). */
  | 'unsupported'
  /** A picture by its first bytes, but damaged or cut off. */
  | 'broken'
  /** Even made as small as it may get, it does not fit into what a column takes. */
  | 'too-large-after'
  /** Neither a picture nor a video, where both are welcome. */
  | 'not-media'
  /** A video in a container that is not stored (QuickTime). */
  | 'video-unsupported'
  /** A video by its first bytes that does not play: damaged, without pictures, or in a codec that Chromium lacks. */
  | 'video-broken'
  /** More bytes or seconds than SOURCE_LIMITS allow. */
  | 'video-too-large'
  | 'video-too-long'
  /** Nothing is wrong with the video as far as is known: it could not be read. */
  | 'video-failed'
  /** Nothing is wrong with the picture as far as is known: it could not be read, or its worker died. */
  | 'failed'

export class MediaError extends Error {
  override readonly name = 'MediaError'
  readonly code: MediaErrorCode

  constructor(code: MediaErrorCode, options?: ErrorOptions) {
    super(`The file was refused: ${code}`, options)
    this.code = code
  }
}
