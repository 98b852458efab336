/** The key of all callers who are not known to be members: they share what one member has. */
export const STRANGERS = 'strangers'

/** The sender of a request. */
export interface Caller {
  /** Id of the signed-in member, if known. */
  member: string | null
  /** Whether the connection is closed, so that the response is not needed. */
  isGone(): boolean
  /**
   * Reserves memory for the whole response until the client has read it; false if there is not enough.
   * @param streamedTo the response is read in chunks of altogether `bytes`, as this member's client takes them
   */
  reserve(bytes: number, streamedTo?: string): boolean
}

/** The key of the member, or of all strangers. */
export function callerKey(member: string | null): string {
  return member === null ? STRANGERS : `member ${member}`
}
