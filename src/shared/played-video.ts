import type { MediaKind } from './media-formats'
import type { ReadPart } from './mp4-tables'
import { isPlayableMp4 } from './played-mp4'
import { isPlayableWebm } from './played-webm'

/**
 * Whether Chromium can play a stored video without taking gigabytes: an MP4 or WebM as the app writes it (docs/decisions/0099-tables-of-videos.md).
 * Rejects as `read` does.
 */
export async function isPlayableVideo(kind: MediaKind, read: ReadPart, fileBytes: number): Promise<boolean> {
  if (kind === 'mp4') return isPlayableMp4(read, fileBytes)
  return kind === 'webm' && isPlayableWebm(read, fileBytes)
}
