/** The error of a statement whose result exceeds a limit. */
export interface LimitError {
  message: string
  /** In PostgREST's convention, PT413 means HTTP status 413. */
  code: string
  hint: string
}

export const TOO_LARGE: LimitError = {
  message: 'The response is too large',
  code: 'PT413',
  hint: 'Request fewer rows or columns.',
}

/** Several rows with pictures or videos, which would hold up others for too long in one turn. */
export const ROWS_TOO_LARGE: LimitError = {
  message: 'The rows are too large for one response',
  code: 'PT413',
  hint: 'Request fewer rows or columns.',
}

/** Responses that clients have not read yet fill the memory. */
export const RESPONSES_FULL: LimitError = {
  message: 'The server is busy',
  code: 'PT503',
  hint: 'Try again later.',
}
