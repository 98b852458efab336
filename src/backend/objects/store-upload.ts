import type { Dimensions } from '#/shared/media-formats'
import { checkContent } from './check-content'
import { type Chunks, readFilePart } from './file-part'
import type { ObjectFiles } from './object-files'
import { OBJECT_BYTES_MAX, type ObjectKey } from './object-key'
import { REFUSALS, StorageError } from './storage-error'

/** The parts of a form besides the file. */
const FORM_BYTES = 16 * 1024

export interface Upload {
  id: string
  key: ObjectKey
  /** The request's content-type. */
  type: string
  chunks: Chunks
  /** @param picture the size of a picture; null for a video */
  insertRow: (size: number, picture: Dimensions | null) => Promise<void>
}

/** Streams an upload to the disk and checks it; only then inserts its row. Throws a StorageError. */
export async function storeUpload(files: ObjectFiles, upload: Upload): Promise<void> {
  const { id, key, insertRow } = upload
  const { type, content } = await readFilePart(upload.type, upload.chunks)
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== key.mimetype) throw REFUSALS.invalidType()
  try {
    const file = await files.write(id, content, OBJECT_BYTES_MAX)
    const picture = await checkContent(file, key)
    await files.publish(id, file.path, () => insertRow(file.size, picture))
  } finally {
    await files.discard(id)
  }
}

/**
 * Calls `receive` with the body of an upload. If it is refused, reads the rest: most clients cannot read a response before they have sent
 * everything. Throws a StorageError, at once if the body is too large.
 */
export async function receiveUpload<T>(
  { headers, body }: Request,
  receive: (chunks: Chunks, declaredBytes: number) => Promise<T>,
): Promise<T> {
  const declared = Number(headers.get('content-length'))
  if (declared > OBJECT_BYTES_MAX + FORM_BYTES) throw REFUSALS.tooLarge()
  if (body === null) throw REFUSALS.invalidRequest()
  const chunks = body.values({ preventCancel: true })
  try {
    return await receive(chunks, declared)
  } catch (error) {
    if (error instanceof StorageError) {
      for (let isDone = false; !isDone; ) {
        const { done } = await chunks.next()
        isDone = done === true
      }
    }
    throw error
  }
}
