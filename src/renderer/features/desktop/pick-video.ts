// Not in ask-for-files.ts, so that it is not in the first load.
import { VIDEO_EXTENSIONS } from '#/shared/video-formats'
import { askForFiles } from './ask-for-files'

/**
 * Asks for videos; none if the dialog is cancelled. Not over the bridge, in Electron neither: it would read gigabytes into memory, and a
 * `File` is read in pieces.
 */
export function pickVideos(isMultiple: boolean): Promise<readonly File[]> {
  return askForFiles(VIDEO_EXTENSIONS.map((extension) => `.${extension}`).join(), isMultiple)
}

/** Asks for a file with the captions of a video; null if the dialog is cancelled. */
export async function pickCaptions(): Promise<File | null> {
  const [file] = await askForFiles('.vtt,text/vtt', false)
  return file ?? null
}
