import { VIDEO_EXTENSIONS } from '#/shared/video-formats'

/**
 * Shows the file dialog of the page; no files if it is cancelled. Works during a click only.
 *
 * @param accept of `<input type=file>`
 */
export function askForFiles(accept: string, isMultiple: boolean): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = accept
    input.multiple = isMultiple
    input.addEventListener('cancel', () => resolve([]))
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.click()
  })
}

/**
 * Asks for a video; null if the dialog is cancelled. Not over the bridge, in Electron neither: it would read up to a gigabyte into
 * memory, and a `File` is read in pieces.
 */
export async function pickVideo(): Promise<File | null> {
  const [file] = await askForFiles(VIDEO_EXTENSIONS.map((extension) => `.${extension}`).join(), false)
  return file ?? null
}
