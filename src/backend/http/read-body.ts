/** Thrown by `readBody` for a body above its limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * Reads a request's body whole, but never more than `limit` bytes; null when there is none.
 * @param reserve told of bytes before they are kept: all at once where the request says how many there are
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
