import type { BackendLogLevel } from '#/shared/backend-messages'

/** Writes a log line. Log lines never contain tokens, passwords or members' texts. */
export type BackendLog = (level: BackendLogLevel, text: string) => void

/** The message of an error and its causes, in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : ` (${describeError(error.cause)})`
  return `${error.message}${cause}`
}
