import { writeFile } from 'node:fs/promises'
import type { SaveDialogOptions, SaveDialogReturnValue } from 'electron'
import { PICTURE_BYTES } from '#/shared/limits'
import type { Log } from './log'
import { texts } from './texts'

/** File extensions of the image types that pages show. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
}

export interface SavePictureParts {
  showSaveDialog(options: SaveDialogOptions): Promise<SaveDialogReturnValue>
  /** Electron's net.fetch: supports the app's scheme, but not data URLs. */
  fetchUrl(url: string): Promise<Response>
  failed(): void
  log: Pick<Log, 'warn'>
}

/** More than any picture that the app stores: a server may send endless data. */
const MOST_BYTES = 5 * PICTURE_BYTES

/** Reads a picture. Throws above MOST_BYTES. */
async function readBytes({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop ends the request.
  for await (const part of body ?? []) {
    length += part.byteLength
    if (length > MOST_BYTES) throw new Error('the picture is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Saves a picture of the page, given its URL, where the member chooses. */
export function createSavePicture(parts: SavePictureParts): (url: string) => Promise<void> {
  async function save(url: string): Promise<void> {
    const response = await (url.startsWith('data:') ? fetch(url) : parts.fetchUrl(url))
    const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    const extension = EXTENSIONS[type]
    // The extension decides how the system treats the file, so it never comes from the page.
    if (!response.ok || extension === undefined) throw new Error(`not a picture: ${response.status} ${type}`)
    const bytes = await readBytes(response)
    const { canceled, filePath } = await parts.showSaveDialog({
      defaultPath: `${texts.savePicture.fileName}.${extension}`,
      filters: [{ name: texts.pick.photo.filter, extensions: [extension] }],
    })
    if (!canceled) await writeFile(filePath, bytes)
  }
  return async (url) => {
    try {
      await save(url)
    } catch (cause) {
      parts.log.warn('could not save the picture', cause)
      parts.failed()
    }
  }
}
