/** Why a chosen file was refused. lib/texts/media.ts has one message per code. */
export type MediaErrorCode =
  /** The server has no Storage. */
  | 'no-storage'
  /** Zero bytes. */
  | 'empty'
  /** More bytes than SOURCE_LIMITS allow. */
  | 'too-large'
  /** More pixels than SOURCE_LIMITS allow, by its header or after decoding. */
  | 'too-many-pixels'
  /** A side is longer than SOURCE_LIMITS allow. */
  | 'too-long'
  /** Its decoder would hold more bytes at once than SOURCE_LIMITS allow. */
  | 'too-much-memory'
  /** Not a picture, whatever its name says. */
  | 'not-a-picture'
  /** A picture in a format or a kind of a format that is not read: SVG, Photoshop, some kinds of TIFF and HEIF. */
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
  /** A video in a container that is not read here (AVI, WMV, FLV, MPEG-1 and -2). */
  | 'video-container'
  /** A video whose edit list repeats, reorders or slows down parts. */
  | 'video-unsupported'
  /** A video by its first bytes that cannot be read: damaged. */
  | 'video-broken'
  /** The file ends before its structure says. */
  | 'video-incomplete'
  /** There is only sound. */
  | 'video-no-pictures'
  /** Nothing is shown in the part that would be kept. */
  | 'video-empty-part'
  /** The codec cannot be decoded on this computer. HEVC has a separate text, because most phones record it. */
  | 'video-hevc'
  | 'video-undecodable'
  /** This computer cannot encode video. */
  | 'video-no-encoder'
  /** More bytes than STORY_VIDEO allows, and than POST_VIDEO does. */
  | 'video-too-large'
  | 'video-too-large-for-post'
  /** More pixels than SOURCE_LIMITS allow. */
  | 'video-too-many-pixels'
  /** Cannot be made small enough to be stored. */
  | 'video-too-large-after'
  /** The app ended while it was converted, and its file is not stored. */
  | 'video-interrupted'
  /** The file was changed or removed while it was read. */
  | 'video-changed'
  /** The video could not be read, for an unknown reason. */
  | 'video-failed'
  /** The picture could not be read, or its worker crashed. */
  | 'failed'

interface MediaErrorOptions extends ErrorOptions {
  /** Of 'video-too-large-after': what would fit of this video. */
  longestSeconds?: number | undefined
}

/** Why a file was refused; more than its code only if there is more. */
export interface MediaRefusal {
  code: MediaErrorCode
  longestSeconds?: number
}

export class MediaError extends Error {
  override readonly name = 'MediaError'
  readonly code: MediaErrorCode
  readonly longestSeconds: number | undefined

  constructor(code: MediaErrorCode, options?: MediaErrorOptions) {
    super(`The file was refused: ${code}`, options)
    this.code = code
    this.longestSeconds = options?.longestSeconds
  }
}
