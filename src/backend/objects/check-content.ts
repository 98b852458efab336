import { open, readFile } from 'node:fs/promises'
import { PICTURE_BYTES } from '#/shared/limits'
import { type Dimensions, SNIFF_BYTES, sniffMedia } from '#/shared/media-formats'
import type { ReadPart } from '#/shared/mp4-tables'
import { inspectPicture, isStoredPicture } from '#/shared/picture-content'
import type { PictureFault } from '#/shared/picture-fault'
import { isPlayableVideo } from '#/shared/played-video'
import type { ObjectKey } from './object-key'
import { REFUSALS, type StorageError } from './storage-error'

const FAULTS: Record<PictureFault, () => StorageError> = {
  damaged: REFUSALS.invalidContent,
  animated: REFUSALS.animated,
  expensive: REFUSALS.expensive,
  'too-large': REFUSALS.tooLarge,
}

/** Checks that all of a file is what its key says, so that it cannot freeze a reader's app. Resolves with the size of a picture. Throws a StorageError. */
export async function checkContent(
  { path, size }: { path: string; size: number },
  key: ObjectKey,
): Promise<Dimensions | null> {
  if (!isStoredPicture(key.kind)) {
    await readParts(path, async (read) => {
      checkBytes(await read(0, SNIFF_BYTES), key)
      if (!(await isPlayableVideo(key.kind, read, size))) throw REFUSALS.invalidContent()
    })
    return null
  }
  if (size > PICTURE_BYTES) throw REFUSALS.tooLarge()
  return checkBytes(await readFile(path), key)
}

/** The same for content in memory; of a video its first bytes are enough. */
export function checkBytes(bytes: Uint8Array, { kind }: ObjectKey): Dimensions | null {
  if (!isStoredPicture(kind)) {
    if (sniffMedia(bytes) !== kind) throw REFUSALS.invalidContent()
    return null
  }
  const content = inspectPicture(bytes, kind)
  if (!content.ok) throw FAULTS[content.fault]()
  return { width: content.width, height: content.height }
}

async function readParts(path: string, use: (read: ReadPart) => Promise<void>): Promise<void> {
  const file = await open(path)
  try {
    await use(async (from, to) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await file.close()
  }
}
