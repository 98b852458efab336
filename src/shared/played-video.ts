import type { MediaKind } from './media-formats'
import { isPlayableMp4, type ReadPart } from './mp4-tables'
import { isPlayableWebm } from './played-webm'

/**
 * Whether Chromium can play a stored video without taking gigabytes: an MP4 or WebM as the app writes it (docs/decisions/0099-tables-of-videos.md).
 * Rejects as `read` does.
 *
 * @param fileBytes the size of the file; more if only its configuration is checked
 * @param isWhole whether the size of each picture is checked too; otherwise only what the configuration says
 */
export async function isPlayableVideo(
  kind: MediaKind,
  read: ReadPart,
  fileBytes: number,
  isWhole: boolean,
): Promise<boolean> {
  if (kind === 'mp4') return isPlayableMp4(read, fileBytes, isWhole)
  return kind === 'webm' && isPlayableWebm(read, fileBytes, isWhole)
}
