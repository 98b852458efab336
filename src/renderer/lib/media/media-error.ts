/** Why a chosen file was refused. lib/texts/media.ts has one message per code. */
export type MediaErrorCode =
  /** Zero bytes. */
  | 'empty'
  /** More bytes than SOURCE_LIMITS allow. */
  | 'too-large'
  /** More pixels than SOURCE_LIMITS allow, by its header or after decoding. */
  | 'too-many-pixels'
  /** A side is longer than SOURCE_LIMITS allow. */
  | 'too-long'
  /** Not a picture, whatever its name says. */
  | 'not-a-picture'
  /** A picture that is not a photo: SVG, and some kinds of TIFF. */
  | 'unsupported'
  /** A RAW file without a preview. */
  | 'raw'
  /** HEIC, in a build without its decoder. */
  | 'heic'
  /** Its decoder does not end. */
  | 'slow'
  /** A picture by its first bytes, but damaged or truncated. */
  | 'broken'
  /** Does not fit into its column even at the smallest size. */
  | 'too-large-after'
  /** Neither a picture nor a video. */
  | 'not-media'
  /** A video in a container that is not supported (QuickTime). */
  | 'video-unsupported'
  /**
   * A video by its first bytes that does not play: damaged, without a video track, or in a codec that Chromium lacks.
   */
  | 'video-broken'
  /** More bytes or seconds than SOURCE_LIMITS allow. */
  | 'video-too-large'
  | 'video-too-long'
  /** More pixels than STORED_PIXELS allow. */
  | 'video-too-many-pixels'
  /** The video could not be read, for an unknown reason. */
  | 'video-failed'
  /** The picture could not be read, or its worker crashed. */
  | 'failed'

export class MediaError extends Error {
  override readonly name = 'MediaError'
  readonly code: MediaErrorCode

  constructor(code: MediaErrorCode, options?: ErrorOptions) {
    super(`The file was refused: ${code}`, options)
    this.code = code
  }
}
