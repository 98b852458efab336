export type { Dimensions } from '#/shared/media-formats'
export { drawingOf } from './drawing'
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
export type { VideoInfo } from './open-video'
export { type PhotoNote, photoNote } from './photo-note'
export {
  type CropArea,
  editedSize,
  editTransform,
  isEdit,
  isUnedited,
  MAX_ANGLE,
  MAX_EXPOSURE,
  type PictureEdit,
  straightenedSize,
  turnedCrop,
  UNEDITED,
  WHOLE,
} from './picture-edit'
export { applyLook, FILTERS, type Filter } from './picture-look'
export {
  type PicturePreview,
  type PreparedPicture,
  type PrepareOptions,
  prepareAvatar,
  preparePicture,
  previewEdited,
  previewPicture,
  type ViewablePicture,
  viewForEditing,
  viewPicture,
} from './prepare-picture'
export { previewOf, storyThumbnailOf, thumbnailOf } from './preview'
export type { SquareCrop } from './process-picture'
export {
  examineVideo,
  isVideoFile,
  openVideoPictures,
  type PreparedMedia,
  prepareStoryMedia,
} from './story-media'
export type { StoryEdit, VideoPictures } from './video-worker'
