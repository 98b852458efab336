import { randomUUID } from 'node:crypto'
import type { checkContent } from './check-content'
import type { ObjectFiles } from './object-files'
import { OBJECT_BYTES_MAX, type ObjectKey } from './object-key'
import type { NewObject } from './object-rows'
import { REFUSALS, StorageError } from './storage-error'

/** What the sender may do. All reject with a StorageError. */
export interface Admission {
  check: typeof checkContent
  insertRow(object: NewObject): Promise<void>
}

/** Checks the rights to upload so many bytes. Rejects with a StorageError. */
export type AdmitUpload = (bytes: number) => Promise<Admission>

/** Above this, a body is refused at once. */
export const UPLOAD_BODY_MAX = OBJECT_BYTES_MAX + 16 * 1024

/**
 * Streams the body of an upload to the disk and checks it; only then inserts its row. If it is refused, reads the rest: most clients
 * cannot read a response before they have sent everything. Resolves with the id of the object. Throws a StorageError.
 */
export async function storeUpload(
  files: ObjectFiles,
  { headers, body }: Request,
  key: ObjectKey,
  admit: AdmitUpload,
): Promise<string> {
  const bytes = Number(headers.get('content-length'))
  if (bytes > UPLOAD_BODY_MAX) throw REFUSALS.tooLarge()
  if (body === null) throw REFUSALS.invalidRequest()
  const id = randomUUID()
  try {
    const { check, insertRow } = await admit(bytes)
    if (headers.get('content-type') !== key.mimetype) throw REFUSALS.invalidType()
    const { path, size } = await files.write(id, body.values({ preventCancel: true }), OBJECT_BYTES_MAX)
    const picture = await check({ path, size }, key)
    await files.publish(id, path, () => insertRow({ id, key, size, picture }))
    return id
  } catch (error) {
    if (error instanceof StorageError) await body.pipeTo(new WritableStream())
    throw error
  } finally {
    await files.discard(id)
  }
}
