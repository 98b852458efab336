// Not in ask-for-files.ts, so that it is not in the first load.
import { VIDEO_EXTENSIONS } from '#/shared/video-formats'
import { askForFiles } from './ask-for-files'

/**
 * Asks for a video; null if the dialog is cancelled. Not over the bridge, in Electron neither: it would read up to a gigabyte into
 * memory, and a `File` is read in pieces.
 */
export async function pickVideo(): Promise<File | null> {
  const [file] = await askForFiles(VIDEO_EXTENSIONS.map((extension) => `.${extension}`).join(), false)
  return file ?? null
}
