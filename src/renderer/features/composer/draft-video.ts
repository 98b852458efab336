import type { NewVideo } from '#/renderer/features/feed'
import { newId } from '#/renderer/lib/core/uuid'
import {
  type ClipEdit,
  initialEdit,
  type MediaErrorCode,
  type PicturePreview,
  type PreparedPostVideo,
  partRules,
  type VideoInfo,
} from '#/renderer/lib/media'
import { CAPTIONS, type VideoRules } from '#/shared/limits'
import { type DraftCaptions, writeCaptions } from './captions'
import { UNPREPARED } from './draft-photo'

/** A video of the draft. */
export interface DraftVideo {
  id: string
  /** The chosen file; null if it was too large to be stored, and the app was restarted. */
  source: Blob | null
  name: string
  /** Of the chosen file. */
  bytes: number
  info: VideoInfo
  edit: ClipEdit
  altText: string
  captions: DraftCaptions | null
  /** It is converted when the member presses 'Share' or chooses a part: it is longer than what is kept, or its conversion was cancelled. */
  isHeld: boolean
  /** The frame that will be its cover, or an earlier one. Not stored. */
  preview: PicturePreview | null
  /** The video as it would be shared, or with an earlier edit while `work` is set. */
  video: PreparedPostVideo | null
  /** Set until the video is converted with its edit: as of a photo, with the time left if it is known. */
  work: { progress: number; failure: MediaErrorCode | null; secondsLeft?: number | null } | null
}

/** A video that has just been chosen. */
export function newVideo(
  source: Blob,
  { name, info, rules }: Pick<DraftVideo, 'name' | 'info'> & { rules: VideoRules },
): DraftVideo {
  const part = partRules(info, rules)
  const edit = initialEdit(info.seconds, part)
  return {
    id: newId(),
    source,
    name,
    bytes: source.size,
    info,
    edit,
    altText: '',
    captions: null,
    isHeld: isCut({ info, edit }),
    preview: null,
    video: null,
    work: UNPREPARED,
  }
}

/** Containers round their times. In seconds. */
const ROUNDING = 0.05

/** Of the part that is kept, in seconds. */
export function lengthOf({ edit }: Pick<DraftVideo, 'edit'>): number {
  return edit.to - edit.from
}

/** Whether only a part of the chosen video is kept. */
export function isCut({ info, edit }: Pick<DraftVideo, 'info' | 'edit'>): boolean {
  return lengthOf({ edit }) < info.seconds - ROUNDING
}

/** Whether its file is needed and gone: it is to be chosen again. */
export function isLost({ source, work }: Pick<DraftVideo, 'source' | 'work'>): boolean {
  return source === null && work !== null
}

/** The WebVTT of the part that is kept; null if it has no captions. */
export function captionsOf({ captions, edit }: Pick<DraftVideo, 'captions' | 'edit'>): string | null {
  return writeCaptions(captions, edit)
}

/** Whether the captions of a post are more than the server stores: of one video, or of all. */
export function exceedsCaptions(videos: readonly DraftVideo[]): boolean {
  const texts = videos.flatMap((video) => captionsOf(video) ?? [])
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0)
  return bytes > CAPTIONS.postBytes || texts.some((text) => Array.from(text).length > CAPTIONS.characters)
}

/** A video as it is shared; null if it is not converted. */
export function sharedVideo(medium: DraftVideo): NewVideo | null {
  if (medium.video === null) return null
  const { video, cover, durationMs, hasSound } = medium.video
  return { video, cover, durationMs, hasSound, altText: medium.altText, captions: captionsOf(medium) }
}

/** A video of a refused post whose original is not stored: other parts are taken from the converted one. */
export function returnedVideo(
  { altText, captions: _stored, ...video }: NewVideo,
  captions: DraftCaptions | null,
): DraftVideo {
  const { cover, durationMs, hasSound } = video
  const seconds = durationMs / 1_000
  return {
    id: newId(),
    source: video.video,
    name: '',
    bytes: video.video.size,
    info: { seconds, width: cover.width, height: cover.height, sound: hasSound ? 'readable' : 'none' },
    edit: { from: 0, to: seconds, cover: 0, isMuted: false },
    altText,
    captions,
    isHeld: false,
    preview: null,
    video,
    work: null,
  }
}
