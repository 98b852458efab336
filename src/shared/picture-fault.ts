import type { Dimensions } from './media-formats'

/**
 * Why a picture must not reach a reader's decoder. `damaged`: not a complete file of its kind; `animated`: more than one frame;
 * `expensive`: a small file that takes much time or memory to decode; `too-large`: more bytes or pixels than any column allows.
 */
export type PictureFault = 'damaged' | 'animated' | 'expensive' | 'too-large'

/** What is wrong with a picture of this size, besides that; null if nothing is. */
export type Inspector = (view: DataView, size: Dimensions) => PictureFault | null
