import { type FileHandle, open } from 'node:fs/promises'
import { STORED_PIXELS } from '#/shared/limits'
import { isPicture, readDimensions, sniffMedia } from '#/shared/media-formats'
import type { ObjectKey } from './object-key'
import { REFUSALS } from './storage-error'

/** The header of nearly all pictures, and of a JPEG with much metadata before its size. */
const HEAD_BYTES = [64 * 1024, 2 * 1024 * 1024]

/**
 * Checks that a file is what its key says, and that a picture does not take too much memory when it is decoded: the largest side and
 * area that any table allows for pictures. Throws a StorageError.
 */
export async function checkContent(path: string, { kind }: ObjectKey): Promise<void> {
  const file = await open(path)
  try {
    for (const length of HEAD_BYTES) {
      const head = await readHead(file, length)
      if (sniffMedia(head) !== kind) throw REFUSALS.invalidContent()
      if (!isPicture(kind)) return
      const size = readDimensions(head, kind)
      if (size === null) continue
      if (size.width * size.height > STORED_PIXELS.picture) throw REFUSALS.tooLarge()
      return
    }
    throw REFUSALS.invalidContent()
  } finally {
    await file.close()
  }
}

async function readHead(file: FileHandle, length: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
  return buffer.subarray(0, bytesRead)
}
