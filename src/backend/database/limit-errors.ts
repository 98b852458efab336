/** What a statement fails with when its response is larger than a limit. */
export interface LimitError {
  message: string
  /** PT413 makes it a 413, in PostgREST's convention. */
  code: string
  hint: string
}

export const TOO_LARGE: LimitError = {
  message: 'The response is too large',
  code: 'PT413',
  hint: 'Request fewer rows or columns.',
}

/** Other clients have not read their responses yet. */
export const NO_ROOM: LimitError = { message: 'The server is busy', code: 'PT503', hint: 'Try again later.' }
