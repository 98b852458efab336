/** A refusal in the format of Supabase Storage, which supabase-js turns into a StorageApiError. */
export class StorageError extends Error {
  override readonly name = 'StorageError'

  /** @param status of the response. Storage itself answers most refusals with 400 and puts the real status into the body */
  constructor(
    readonly statusCode: number,
    readonly error: string,
    message: string,
    readonly status = 400,
  ) {
    super(message)
  }

  response(): Response {
    const { status, error, message } = this
    const headers = new Headers()
    if (status === 503) headers.set('retry-after', '5')
    return Response.json({ statusCode: String(this.statusCode), error, message }, { status, headers })
  }
}

export const REFUSALS = {
  notServed: () => new StorageError(404, 'not_found', 'Not found', 404),
  objectNotFound: () => new StorageError(404, 'not_found', 'Object not found'),
  invalidToken: () =>
    new StorageError(403, 'Unauthorized', 'The access token is missing, invalid or expired'),
  invalidLink: () => new StorageError(400, 'InvalidJWT', 'The signed URL is invalid or has expired'),
  forbidden: () => new StorageError(403, 'Unauthorized', 'new row violates row-level security policy'),
  duplicate: () => new StorageError(409, 'Duplicate', 'The resource already exists'),
  tooLarge: () => new StorageError(413, 'Payload too large', 'The object exceeded the maximum allowed size'),
  invalidType: () => new StorageError(415, 'invalid_mime_type', 'The mime type is not supported'),
  invalidContent: () =>
    new StorageError(415, 'invalid_mime_type', 'The content does not match its mime type'),
  animated: () => new StorageError(415, 'invalid_mime_type', 'Animated pictures are not supported'),
  expensive: () =>
    new StorageError(415, 'invalid_mime_type', 'The picture takes too much time or memory to decode'),
  invalidRequest: () => new StorageError(400, 'InvalidRequest', 'The request is invalid'),
  tooManyUploads: () =>
    new StorageError(429, 'TooManyRequests', 'You have uploaded too many files that nothing uses', 429),
} as const
