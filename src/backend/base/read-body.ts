export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * Reads a request's body; null if there is none. Throws a BodyTooLargeError above `limit` bytes.
 * @param hold called with the length of the body before any of it is kept
 */
export async function readBody(
  request: Request,
  limit: number,
  hold: (bytes: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) throw new BodyTooLargeError()
  if (request.body === null) return null
  hold(declared)
  const body = new Uint8Array(await request.arrayBuffer())
  if (body.byteLength > limit) throw new BodyTooLargeError()
  return body
}
