import { open, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { FileFilter, OpenDialogOptions, OpenDialogReturnValue } from 'electron'
import type { HandlersOf } from '#/main/ipc'
import { texts } from '#/main/texts'
import type { FileKind, PickedFile } from '#/shared/bridge'
import { BridgeError, FILE_TOO_LARGE } from '#/shared/bridge-error'
import { SOURCE_LIMITS } from '#/shared/limits'
import { PHOTO_EXTENSIONS } from '#/shared/photo-files'
import { VIDEO_EXTENSIONS } from '#/shared/video-formats'

const extensionOf = (path: string) => extname(path).slice(1).toLowerCase()

/** Whether the file name has a photo extension. The content is checked when it is decoded. */
export function isPhotoPath(path: string): boolean {
  return PHOTO_EXTENSIONS.includes(extensionOf(path))
}

/** Whether the file name has the extension of a video that the app reads. */
export function isVideoPath(path: string): boolean {
  return VIDEO_EXTENSIONS.includes(extensionOf(path))
}

interface Kind {
  title: string
  filter: FileFilter
  maxBytes: number
}

const photo = { maxBytes: SOURCE_LIMITS.imageBytes }

const KINDS: Record<FileKind, Kind> = {
  photo: {
    ...photo,
    title: texts.pick.photo.title,
    filter: { name: texts.pick.photo.filter, extensions: [...PHOTO_EXTENSIONS] },
  },
  avatar: {
    ...photo,
    title: texts.pick.avatar.title,
    filter: { name: texts.pick.avatar.filter, extensions: [...PHOTO_EXTENSIONS] },
  },
}

/**
 * Reads a file of at most `maxBytes`, checking its size before reading.
 * Throws `file-too-large` with the file's name, or `file-unreadable` if it is not a regular file or cannot be read.
 */
export async function readPickedFile(path: string, maxBytes: number): Promise<PickedFile> {
  const name = basename(path)
  const unreadable = () => new BridgeError('file-unreadable', texts.pick.unreadable(name))
  try {
    // Check before opening, because opening a pipe blocks until its other end opens.
    const { size } = await stat(path).then((found) => (found.isFile() ? found : Promise.reject(unreadable())))
    if (size > maxBytes) throw new BridgeError(FILE_TOO_LARGE, name)
    const file = await open(path, 'r')
    try {
      // Not a Buffer: it may share a larger allocation, all of which would be sent to the page.
      const bytes = new Uint8Array(size)
      let filled = 0
      while (filled < size) {
        const { bytesRead } = await file.read(bytes, filled, size - filled, filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return { name, bytes: filled === size ? bytes : bytes.slice(0, filled) }
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw cause instanceof BridgeError ? cause : unreadable()
  }
}

/** Reads a photo that the member opened with the app, with the limits of `files.pick`. */
export function readPhoto(path: string): Promise<PickedFile> {
  return readPickedFile(path, photo.maxBytes)
}

export type ShowOpenDialog = (options: OpenDialogOptions) => Promise<OpenDialogReturnValue>

type FileHandlers = Pick<HandlersOf<'files'>, 'files.pick' | 'files.pickPhotos' | 'files.readPicked'>

/** Native file dialogs, one at a time: a second call while one is open returns as if it was cancelled. */
export function fileHandlers(showOpenDialog: ShowOpenDialog): FileHandlers {
  let isOpen = false
  /** What was chosen with `files.pickPhotos`. */
  let photos: readonly string[] = []
  const ask = async (options: OpenDialogOptions & { filter: FileFilter }): Promise<readonly string[]> => {
    if (isOpen) return []
    isOpen = true
    try {
      const { filter, ...rest } = options
      const filters = [filter, { name: texts.pick.anyFile, extensions: ['*'] }]
      const chosen = await showOpenDialog({ ...rest, filters })
      return chosen.canceled ? [] : chosen.filePaths
    } finally {
      isOpen = false
    }
  }
  return {
    'files.pick': async (kind) => {
      const { title, filter, maxBytes } = KINDS[kind]
      const [path] = await ask({ title, filter, properties: ['openFile'] })
      return path === undefined ? null : readPickedFile(path, maxBytes)
    },
    'files.pickPhotos': async () => {
      const paths = await ask({
        title: texts.pick.photos,
        filter: KINDS.photo.filter,
        properties: ['openFile', 'multiSelections'],
      })
      if (paths.length > 0) photos = paths
      return paths.map((path) => basename(path))
    },
    'files.readPicked': async (position) => {
      const path = photos[position]
      if (path === undefined) throw new BridgeError('file-unreadable', texts.pick.unreadable(''))
      return readPhoto(path)
    },
  }
}
