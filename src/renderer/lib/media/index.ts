export type {
  PreparedPicture,
  PrepareOptions,
  ViewablePicture,
} from '#/renderer/lib/media/picture/picture-request'
export type { Dimensions } from '#/shared/media-formats'
export {
  createMediaChooser,
  type MediaChoice,
  type MediaChoiceChange,
  mediaChoiceReducer,
  mediaOf,
  refusedName,
  toMediaErrorCode,
  toMediaRefusal,
} from './media-chooser'
export { type PhotoNote, photoNote } from './metadata/photo-note'
export { type EditablePhoto, editPhoto } from './picture/open-photo'
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
} from './picture/picture-edit'
export { FILTERS, type Filter, UNCHANGED } from './picture/picture-look'
export {
  type PicturePreview,
  prepareAvatar,
  preparePicture,
  previewEdited,
  previewPicture,
  viewPicture,
} from './picture/prepare-picture'
export { previewOf, storyThumbnailOf, thumbnailOf } from './preview'
export { fileRefusal, nameOf, shownName } from './source/file-refusal'
export { MediaError, type MediaErrorCode, type MediaRefusal } from './source/media-error'
export { blobOf, type MediaFile, type NamedFile } from './source/media-file'
export { checkStorage, postVideoRules } from './source/storage-store'
export {
  examineVideo,
  isVideoFile,
  openVideoPictures,
  type PreparedMedia,
  preparePostVideo,
  prepareStoryMedia,
  previewVideo,
} from './story-media'
export type { VideoInfo } from './video/open-video'
export type { ClipEdit, PreparedPostVideo } from './video/prepare-video'
export { initialEdit, moveHandle, secondsLeft, type TrimHandle } from './video/trim'
export { partRules } from './video/video-plan'
export type { VideoPictures } from './video/video-worker'
