import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SaveDialogOptions, SaveDialogReturnValue } from 'electron'
import type { HandlersOf } from '#/main/ipc'
import type { Log } from '#/main/log'
import { texts } from '#/main/texts'
import type { SavedPicture } from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'
import { beginning } from '#/shared/graphemes'
import { PICTURE_BYTES } from '#/shared/limits'
import { sniffMedia } from '#/shared/media-formats'
import { storedExtension } from '#/shared/stored-media'
import { exists } from './exists'

/** The extension of a picture by its media type; undefined for everything else. */
const pictureExtension = (type: string) => (type.startsWith('image/') ? storedExtension(type) : undefined)

export interface SavePictureParts {
  /** Asks the page for `files.savePicture`. */
  askPage(url: string): void
  showSaveDialog(options: SaveDialogOptions): Promise<SaveDialogReturnValue>
  /** Electron's net.fetch: supports the app's scheme, but neither data nor blob URLs. */
  fetchUrl(url: string): Promise<Response>
  /** The folder for the first picture. Throws if the system names no folder for pictures. */
  pictures(): string
  failed(): void
  log: Pick<Log, 'warn'>
}

export interface SavePicture {
  /** Saves a picture of the page, given its URL, where the member chooses. */
  ask(url: string): void
  handlers: Pick<HandlersOf<'files'>, 'files.savePicture'>
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

interface ReadPicture {
  type: string
  bytes: Uint8Array
}

async function readPicture(url: string, fetchUrl: SavePictureParts['fetchUrl']): Promise<ReadPicture> {
  const response = await (url.startsWith('data:') ? fetch(url) : fetchUrl(url))
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!response.ok || pictureExtension(type) === undefined)
    throw new Error(`not a picture: ${response.status} ${type}`)
  return { type, bytes: await readBytes(response) }
}

/** Characters that Windows forbids in file names, besides control and direction characters. Other systems forbid fewer. */
const NOT_IN_NAMES = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/gu
/** Names that Windows keeps for devices, also with whatever follows behind a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i
/** Far below the 255 bytes of file systems, also in scripts of four bytes a character. */
const NAME_LENGTH = 50

/** A file name from author and day that every system accepts, without its extension. */
export function pictureName({ author, date }: Pick<SavedPicture, 'author' | 'date'>): string {
  const name = beginning((author ?? '').replace(NOT_IN_NAMES, ''), NAME_LENGTH)
  const words = [name, date ?? ''].filter((word) => word !== '').join(' ')
  // Windows drops dots and spaces at the end; a dot at the start hides a file.
  const trimmed = words.replace(/^[.\s]+|[.\s]+$/g, '')
  if (name === '' || trimmed === '') return texts.savePicture.fileName
  return trimmed.replace(DEVICE, '$&_')
}

/** A path in the folder that no file has yet. */
async function freePath(folder: string, name: string, extension: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = join(folder, `${name}${count === 1 ? '' : ` (${count})`}.${extension}`)
    if (!(await exists(path))) return path
  }
}

/**
 * Saves pictures of the page. The page names author and day, and sends what is behind a `blob:` URL. It can only answer
 * what the member asked for in the menu, and once.
 */
export function createSavePicture(parts: SavePictureParts): SavePicture {
  let asked: string | null = null
  let lastFolder: string | null = null

  function folder(): string {
    try {
      return lastFolder ?? parts.pictures()
    } catch {
      return ''
    }
  }

  async function save(url: string, { bytes: given, ...credit }: SavedPicture): Promise<void> {
    if (given !== null && given.byteLength > MOST_BYTES) throw new Error('the picture is too large')
    const { type, bytes } =
      given === null
        ? await readPicture(url, parts.fetchUrl)
        : { type: `image/${sniffMedia(given)}`, bytes: given }
    const extension = pictureExtension(type)
    // The extension decides how the system treats the file, so it never comes from the page.
    if (extension === undefined) throw new Error(`not a picture: ${type}`)
    const { canceled, filePath } = await parts.showSaveDialog({
      defaultPath: await freePath(folder(), pictureName(credit), extension),
      filters: [{ name: texts.pick.photo.filter, extensions: [extension] }],
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    })
    if (canceled) return
    await writeFile(filePath, bytes)
    lastFolder = dirname(filePath)
  }

  return {
    ask: (url) => {
      asked = url
      parts.askPage(url)
    },
    handlers: {
      'files.savePicture': async (picture) => {
        const url = asked
        asked = null
        if (url === null) throw new BridgeError('refused', texts.bridge.refused)
        try {
          await save(url, picture)
        } catch (cause) {
          parts.log.warn('could not save the picture', cause)
          parts.failed()
        }
      },
    },
  }
}
