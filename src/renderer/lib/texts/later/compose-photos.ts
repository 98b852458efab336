import { counted } from '#/renderer/lib/texts/counts'
import { post } from '#/renderer/lib/texts/features/posts'
import { spoken, timeLeft } from '#/renderer/lib/texts/lengths'
import { isolate } from '#/shared/bidi'

const MEGABYTE = 1_000_000

function megabytes(bytes: number): string {
  return bytes < MEGABYTE / 10 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / MEGABYTE).toFixed(1)} MB`
}

interface Size {
  width: number
  height: number
}

const pixels = ({ width, height }: Size) => `${width} × ${height} pixels`
const colours = (isWide: boolean) => (isWide ? 'Display P3' : 'sRGB')
const removed = (hasCamera: boolean) =>
  hasCamera ? 'The place is removed.' : 'Place and camera are removed.'

/** Texts about the photos and videos of a new post. Not in the catalogue's index, so that they are not in the first load. */
export const composePhotos = {
  list: 'Photos of this post',
  listWithVideos: 'Photos and videos of this post',
  reading: 'being read',
  edit: 'Edit photo',
  moveEarlier: 'Move earlier',
  moveLater: 'Move later',
  altOf: (position: number, isVideo = false) => `Alt text of ${isVideo ? 'video' : 'photo'} ${position}`,
  cameraHint: 'Choose what to show. Location and serial numbers are never read.',
  noCamera: 'This file has no camera details.',
  cameraChips: 'Camera details to show',
  film: 'Film',
  preparingAll: 'Preparing your photos',
  failed: 'could not be prepared',
  /** What of a photo leaves this computer. */
  published: (size: Size & { bytes: number }, isWide: boolean, hasCamera: boolean) =>
    `Published with ${pixels(size)}, ${megabytes(size.bytes)}, ${colours(isWide)}. ${removed(hasCamera)}`,
  /** The same before the photo is prepared. */
  willBePublished: (size: Size, isWide: boolean, hasCamera: boolean) =>
    `Published with about ${pixels(size)}, ${colours(isWide)}. ${removed(hasCamera)}`,
  tooMany: (limit: number, left: number) =>
    `A post can have up to ${limit} photos and videos. ${left === 1 ? 'The last one was' : `The last ${left} were`} not added.`,
  added: (videos: readonly boolean[]) => `${post.photos(videos.length, videos)} added`,
  moved: (position: number, count: number, isVideo = false) =>
    `${isVideo ? 'Video' : 'Photo'} moved to position ${position} of ${count}`,
  removed: 'Photo removed',
  videoRemoved: 'Video removed',
  discard: 'Discard',
  discardTitle: 'Discard this post?',
  discardBody: 'Its text, photos and videos are deleted from this device.',
} as const

/** Texts about a video of a new post. */
export const composeVideo = {
  preview: 'Your video, as it will be posted',
  cover: 'The cover of your video',
  trim: 'Trim',
  trimTitle: 'Part and cover',
  remove: 'Remove video',
  converting: 'Converting your video',
  convertingAll: 'Preparing your photos and videos',
  secondsLeft: timeLeft,
  waiting: 'not converted yet',
  /** It waits for 'Share'. */
  held: 'This video is converted when you share the post, or when you choose a part of it.',
  heldPart: (seconds: number) =>
    `Only its first ${spoken(seconds)} are kept. Choose another part with ‘Trim’; otherwise it is converted when you share the post.`,
  shorten: 'Choose a shorter part with ‘Trim’.',
  longest: (seconds: number) => `At most ${spoken(seconds)} are kept.`,
  chooseAgain: 'Choose it again',
  published: (size: Size & { bytes: number }, seconds: number, hasSound: boolean) =>
    `Published with ${spoken(seconds)}, ${pixels(size)}, ${megabytes(size.bytes)}${hasSound ? '' : ', without sound'}. Place and camera are removed.`,
  willBePublished: (size: Size, seconds: number, hasSound: boolean) =>
    `Published with ${spoken(seconds)}, about ${pixels(size)}${hasSound ? '' : ', without sound'}. Place and camera are removed.`,
  addCaptions: 'Add captions',
  captionsHint: 'A WebVTT file (.vtt)',
  changeCaptions: 'Change captions',
  removeCaptions: 'Remove captions',
  hasCaptions: (name: string, cues: number) => `${isolate(name)} – ${counted(cues, 'caption', 'captions')}`,
  /** None in the part that is kept. */
  noCaptionsInPart: 'None of these captions is in the part that is kept.',
  captionsTooLong: 'These captions are longer than a post can have. Choose a shorter part, or remove some.',
  captionsProblems: {
    tooLarge: 'This file with captions is larger than 200 KB.',
    unreadable: 'This file cannot be read as captions. Save them as WebVTT (.vtt), in UTF-8.',
    empty: 'This file has no captions.',
    tooMany: 'This file has more than 1,500 captions.',
  },
} as const

/** Texts of the photo editor. */
export const photoEditor = {
  title: 'Edit photo',
  preview: 'Photo with your changes',
  crop: 'Crop',
  aspect: {
    free: 'Free',
    original: 'Original',
    square: '1:1',
    portrait: '4:5',
    medium: '5:4',
    classic: '3:2',
    wide: '16:9',
    tall: '9:16',
  },
  left: 'Crop: distance from the left',
  top: 'Crop: distance from the top',
  width: 'Crop: width',
  height: 'Crop: height',
  rotateLeft: 'Rotate left',
  rotateRight: 'Rotate right',
  straighten: 'Straighten',
  degrees: (n: string) => `${n}°`,
  light: 'Light and colour',
  exposure: 'Exposure',
  contrast: 'Contrast',
  highlights: 'Highlights',
  shadows: 'Shadows',
  warmth: 'Warmth',
  vignette: 'Vignette',
  grain: 'Grain',
  strength: 'Strength',
  percent: (n: string) => `${n} %`,
  resetOne: (slider: string) => `Undo ${slider.toLowerCase()}`,
  before: 'Before',
  beforeHint: 'Hold the button or the key b to see the photo before its changes',
  applyToAll: 'Look to all photos',
  appliedToAll: (n: number) => `The look is on all ${n} photos.`,
  stops: (n: string) => `${n} EV`,
  filter: 'Filter',
  filters: {
    none: 'Original',
    vivid: 'Vivid',
    warm: 'Warm',
    cool: 'Cool',
    faded: 'Faded',
    silver: 'Silver',
    ink: 'Ink',
  },
  reset: 'Reset',
  apply: 'Apply',
} as const
