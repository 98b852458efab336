export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * Reads a request's body; null if there is none. Throws a BodyTooLargeError above `limit` bytes.
 * @param reserve called before bytes are kept, once for all of them if the request has a content-length
 */
export async function readBody(
  request: Request,
  limit: number,
  reserve: (bytes: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) throw new BodyTooLargeError()
  if (request.body === null) return null
  const reserved = Math.max(declared, 0)
  if (reserved > 0) reserve(reserved)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.byteLength
    if (length > limit) throw new BodyTooLargeError()
    if (length > reserved) reserve(chunk.byteLength)
    chunks.push(chunk)
  }
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}
