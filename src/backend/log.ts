import type { BackendLogLevel } from '#/shared/backend-messages'

/** Where the backend's log lines go; they name no tokens, passwords or texts of members. */
export type BackendLog = (level: BackendLogLevel, text: string) => void

/** One line for an unknown error, with its cause. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : ` (${describeError(error.cause)})`
  return `${error.message}${cause}`
}
