import type { Waiting } from '#/backend/base/queue'

/** The key of all callers who are not known to be members: together they are one caller. */
export const STRANGERS = 'strangers'

/** The sender of a request. */
export interface Caller {
  /** Id of the signed-in member, if known. */
  member: string | null
  /** Whether the connection is closed, so that the response is not needed. */
  isGone(): boolean
  /** Closes the connection, because its memory is needed. */
  disconnect(): void
  /** Runs work that parses what the caller sent, in turns of the callers. Those of a kind share one. Rejects with its error, or a SkippedError. */
  parseInTurn<T>(work: () => T, kind?: string): Promise<T>
}

/** The key of the member, or of all strangers. */
export function callerKey(member: string | null): string {
  return member === null ? STRANGERS : `member ${member}`
}

/** How a request waits for its turn. */
export function waitingOf({ member, isGone }: Caller): Waiting {
  return { caller: callerKey(member), isGone }
}
