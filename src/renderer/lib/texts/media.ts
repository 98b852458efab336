import { isolate } from '#/shared/bidi'
import { counted } from './counts'

/** A length in words, as `2 minutes and 54 seconds`. */
function spelledOut(seconds: number): string {
  const parts = [
    ...(seconds >= 60 ? [counted(Math.floor(seconds / 60), 'minute', 'minutes')] : []),
    ...(seconds % 60 > 0 ? [counted(seconds % 60, 'second', 'seconds')] : []),
  ]
  return parts.join(' and ')
}

function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.floor(bytes / 1_000)} KB` : `${Math.floor(bytes / 1_000_000)} MB`
}

export const media = {
  refused: (name: string, why: string) => `${isolate(name)}: ${why}`,
  'no-storage': 'This server cannot store pictures and videos yet. Ask its operator.',
  'not-a-picture': 'This file is not a picture.',
  unsupported: 'This picture format cannot be read here. Save it as JPEG, PNG or WebP and try again.',
  broken: 'This picture is damaged and cannot be opened.',
  raw: 'This RAW file has no preview that can be shown. Save it as JPEG and try again.',
  heic: 'This build of the app cannot read HEIC photos. Save it as JPEG and try again.',
  slow: 'This picture takes too long to open. Save it as JPEG and try again.',
  'too-large': 'This picture is larger than 200 MB. Choose a smaller one.',
  'too-many-pixels': 'This picture has more than 120 megapixels. Choose a smaller one.',
  'too-long': 'This picture is longer than 65,535 pixels. Choose a shorter one.',
  'too-much-memory': 'This picture takes too much memory to open. Save it as JPEG and try again.',
  empty: 'This file is empty.',
  'too-large-after': 'This picture cannot be made small enough to post.',
  failed: 'This picture could not be read. Please try again.',
  'not-media': 'This file is neither a photo nor a video.',
  'video-container': 'This kind of video file cannot be read here. Save it as MP4 and choose that file.',
  'video-unsupported':
    'This video repeats, reorders or slows down parts of its recording. Export it from a video editor and choose that file.',
  'video-broken': 'This video is damaged and cannot be played.',
  'video-incomplete': 'This video is incomplete.',
  'video-no-pictures': 'This file has sound, but no pictures.',
  'video-empty-part': 'This video shows no picture in the part that is kept. Choose another part.',
  'video-hevc':
    'This computer cannot read HEVC video. Export it as H.264 and choose that file. For new videos of an iPhone: Settings > Camera > Formats > Most Compatible.',
  'video-undecodable':
    'This computer cannot read the codec of this video. Export it as H.264 and choose that file.',
  'video-no-encoder': 'This computer cannot convert this video. Save it as MP4 (H.264) and choose that file.',
  'video-too-large': 'This video is larger than 1 GB. Choose a smaller one.',
  'video-too-large-for-post': 'This video is larger than 4 GB. Choose a smaller one.',
  'video-too-many-pixels': 'The pictures of this video are too large. Choose a video of at most 4K.',
  'video-too-large-after': 'This video cannot be made small enough for a story. Choose a shorter part.',
  longestVideo: (seconds: number) =>
    `At most ${spelledOut(seconds)} of this video can be stored. Choose a shorter part.`,
  /** @param seconds of the longest video that has this size and looks good */
  serverLimit: (bytes: number, seconds: number) =>
    `This server takes videos of up to ${megabytes(bytes)}: about ${spelledOut(seconds)} in good quality.`,
  serverRefuses: (bytes: number) => `This server takes no file of ${megabytes(bytes)}.`,
  'video-interrupted':
    'This video was not finished when Vignette was closed. Choose it again; what you chose of it is kept.',
  'video-changed': 'This video was changed or removed while it was read. Choose it again.',
  'video-failed': 'This video could not be read. Please try again.',
  still: {
    post: 'This file is animated. A post shows its first frame.',
    story: 'This file is animated. A story shows its first frame.',
    message: 'This file is animated. A message shows its first frame.',
    avatar: 'This file is animated. A profile photo shows its first frame.',
  },
  preview: 'This is a RAW file. The preview that the camera stored in it is used.',
} as const
