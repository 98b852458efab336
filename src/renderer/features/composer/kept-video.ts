import { isRecord } from '#/renderer/lib/local/local-storage'
import { KEPT_VIDEO_BYTES } from '#/shared/limits'
import { type Files, loadFiles } from './draft-files-store'
import type { DraftVideo } from './draft-video'

/** A stored video; its files and captions are in IndexedDB. */
export interface KeptVideo {
  /** Not at the top, where earlier versions of the app would take it for a photo. */
  video: Pick<DraftVideo, 'id' | 'altText' | 'name' | 'bytes' | 'info' | 'edit' | 'isHeld'> & {
    /** The name of the file with its captions. */
    captions: string | null
    /** The stored video is not of this edit, or there is none. */
    isStale: boolean
  }
}

const areNumbers = (values: readonly unknown[]) => values.every((value) => Number.isFinite(value))

/** Parses a stored video; none if it is not valid. */
export function keptVideosOf(value: unknown): KeptVideo[] {
  const stored = isRecord(value) ? value.video : null
  if (!isRecord(stored) || typeof stored.id !== 'string') return []
  const { id, info, edit, name, bytes, captions } = stored
  if (!isRecord(info) || !isRecord(edit)) return []
  const { seconds, width, height, sound } = info
  const { from, to, cover } = edit
  if (!areNumbers([seconds, width, height, from, to, cover, bytes])) return []
  return [
    {
      video: {
        id,
        altText: typeof stored.altText === 'string' ? stored.altText : '',
        name: typeof name === 'string' ? name : '',
        bytes: Number(bytes),
        info: {
          seconds: Number(seconds),
          width: Number(width),
          height: Number(height),
          sound: sound === 'readable' || sound === 'unreadable' ? sound : 'none',
        },
        edit: {
          from: Number(from),
          to: Number(to),
          cover: Number(cover),
          isMuted: edit.isMuted === true,
        },
        isHeld: stored.isHeld === true,
        captions: typeof captions === 'string' ? captions : null,
        isStale: stored.isStale === true,
      },
    },
  ]
}

export function toKeptVideo({
  id,
  altText,
  name,
  bytes,
  info,
  edit,
  isHeld,
  captions,
  work,
}: DraftVideo): KeptVideo {
  return {
    video: {
      id,
      altText,
      name,
      bytes,
      info,
      edit,
      isHeld,
      captions: captions?.name ?? null,
      isStale: work !== null,
    },
  }
}

/** The files of a video for IndexedDB. */
export function filesOfVideo({ id, source, video, captions }: DraftVideo): Files {
  const isKept = source !== null && source.size <= KEPT_VIDEO_BYTES
  return { id, source: isKept ? source : null, picture: video, captions: captions?.cues ?? null }
}

/** A stored video with its files. One without its original can be shared if it is converted, and else waits for it. */
export async function loadVideo(place: string, { video: kept }: KeptVideo): Promise<DraftVideo> {
  const { isStale, captions: name, ...fields } = kept
  const files = await loadFiles(place, kept.id)
  const { source, picture, captions } = files ?? { source: null, picture: null, captions: null }
  const video = picture !== null && 'video' in picture ? picture : null
  const isReady = video !== null && !isStale
  return {
    ...fields,
    source,
    captions: name !== null && captions !== null ? { name, cues: captions } : null,
    preview: null,
    video,
    work: isReady ? null : { progress: 0, failure: source === null ? 'video-interrupted' : null },
  }
}
