export { MediaError, type MediaErrorCode } from './media-error'
export { preparePicture } from './prepare-picture'
export type { PreparedPicture } from './protocol'
export { pictureFromClipboard, pictureFromDrop } from './transfer'
