import { REFUSALS } from './storage-error'

/** The content of an upload, with the type that the client declares. */
export interface FilePart {
  type: string
  content: AsyncIterable<Uint8Array>
}

/** Bytes of everything before the file: supabase-js sends a field or two. */
const HEAD_MAX = 8 * 1024
const FIELDS_MAX = 4

const BOUNDARY = /^multipart\/form-data;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i

export type Chunks = Pick<AsyncIterator<Uint8Array>, 'next'>

/**
 * Reads an upload, either the body itself or the only file of a form. Throws a StorageError.
 * @param type the request's content-type
 * @param chunks its body
 */
export async function readFilePart(type: string, chunks: Chunks): Promise<FilePart> {
  if (!/^multipart\//i.test(type)) {
    return { type, content: { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) } }
  }
  const boundary = BOUNDARY.exec(type)?.[2]
  if (boundary === undefined) throw REFUSALS.invalidRequest()
  return readForm(chunks, boundary)
}

/**
 * Reads a form as supabase-js and browsers write it: a few fields, then one file. Anything else is refused, so that no two
 * readers can understand a form differently.
 */
async function readForm(chunks: Chunks, boundary: string): Promise<FilePart> {
  const delimiter = `\r\n--${boundary}`
  let buffered = Buffer.alloc(0)
  let headBytes = 0

  /** False at the end of the body. */
  const readMore = async (): Promise<boolean> => {
    const { done, value } = await chunks.next()
    if (done === true) return false
    buffered = Buffer.concat([buffered, value])
    return true
  }
  /** The text up to a marker, which is skipped. */
  const readUntil = async (marker: string): Promise<string> => {
    let at = buffered.indexOf(marker)
    while (at === -1) {
      if (headBytes + buffered.length > HEAD_MAX || !(await readMore())) throw REFUSALS.invalidRequest()
      at = buffered.indexOf(marker)
    }
    headBytes += at + marker.length
    if (headBytes > HEAD_MAX) throw REFUSALS.invalidRequest()
    const text = buffered.toString('latin1', 0, at)
    buffered = buffered.subarray(at + marker.length)
    return text
  }
  async function* readContent(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = buffered.indexOf(delimiter)
      // Without a delimiter, the last bytes may be its beginning.
      const end = at === -1 ? Math.max(0, buffered.length - delimiter.length + 1) : at
      if (end > 0) yield buffered.subarray(0, end)
      buffered = buffered.subarray(at === -1 ? end : at + delimiter.length)
      if (at !== -1) break
      if (!(await readMore())) throw REFUSALS.invalidRequest()
    }
    while (buffered.length <= 4 && (await readMore())) {
      // Nothing but the end of the form may follow.
    }
    if (!/^--(\r\n)?$/.test(buffered.toString('latin1'))) throw REFUSALS.invalidRequest()
  }

  if ((await readUntil(`--${boundary}\r\n`)) !== '') throw REFUSALS.invalidRequest()
  for (let fields = 0; fields <= FIELDS_MAX; fields += 1) {
    const headers = await readUntil('\r\n\r\n')
    if (/^content-disposition:[^\r\n]*;\s*filename=/im.test(headers)) {
      return { type: /^content-type:[ \t]*([^\r\n]*)$/im.exec(headers)?.[1] ?? '', content: readContent() }
    }
    await readUntil(delimiter)
    if ((await readUntil('\r\n')) !== '') throw REFUSALS.invalidRequest()
  }
  throw REFUSALS.invalidRequest()
}
