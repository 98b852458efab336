export type { Dimensions } from '#/shared/media-formats'
export { fileRefusal, nameOf, shownName } from './file-refusal'
export {
  createMediaChooser,
  type MediaChoice,
  type MediaChoiceChange,
  mediaChoiceReducer,
  mediaOf,
  refusedName,
  toMediaErrorCode,
} from './media-chooser'
export { MediaError, type MediaErrorCode } from './media-error'
export { blobOf, type MediaFile, type NamedFile } from './media-file'
export { type EditablePhoto, editPhoto } from './open-photo'
export type { VideoInfo } from './open-video'
export { type PhotoNote, photoNote } from './photo-note'
export {
  type CropArea,
  isUnedited,
  LOOK_LIMITS,
  lookOf,
  MAX_ANGLE,
  type PictureEdit,
  parseEdit,
  type SquareCrop,
  straightenedSize,
  turnedCrop,
  UNEDITED,
  WHOLE,
} from './picture-edit'
export { FILTERS, type Filter, UNCHANGED } from './picture-look'
export {
  type PicturePreview,
  type PreparedPicture,
  type PrepareOptions,
  prepareAvatar,
  preparePicture,
  previewEdited,
  previewPicture,
  type ViewablePicture,
  viewPicture,
} from './prepare-picture'
export type { StoryEdit } from './prepare-video'
export { previewOf, storyThumbnailOf, thumbnailOf } from './preview'
export {
  examineVideo,
  isVideoFile,
  openVideoPictures,
  type PreparedMedia,
  prepareStoryMedia,
} from './story-media'
export type { VideoPictures } from './video-worker'
