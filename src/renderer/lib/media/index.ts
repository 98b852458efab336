export type { Dimensions } from '#/shared/media-formats'
export { type ViewablePicture, viewPicture } from './decode-picture'
export {
  createMediaChooser,
  type MediaChoice,
  type MediaChoiceChange,
  mediaChoiceReducer,
  mediaOf,
  toMediaErrorCode,
} from './media-chooser'
export { MediaError, type MediaErrorCode } from './media-error'
export {
  type InlinePicture,
  type PreparedPicture,
  prepareAvatar,
  preparePicture,
} from './prepare-picture'
export { previewOf, storyThumbnailOf, thumbnailOf } from './preview'
export type { SquareCrop } from './process-picture'
export { type PreparedMedia, prepareStoryMedia } from './story-media'
