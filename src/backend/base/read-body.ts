export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'

  constructor(limit: number) {
    const most = limit < 1_000_000 ? `${Math.floor(limit / 1_000)} KB` : `${limit / 1_000_000} MB`
    super(`The request is too large: it may have ${most}`)
  }
}

/** Reads a request's body; null if there is none. Throws a BodyTooLargeError above `limit` bytes. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length')) > limit) throw new BodyTooLargeError(limit)
  if (request.body === null) return null
  const body = new Uint8Array(await request.arrayBuffer())
  if (body.byteLength > limit) throw new BodyTooLargeError(limit)
  return body
}
