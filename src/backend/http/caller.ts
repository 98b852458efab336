import { addressKey } from './network-address'

/** The sender of a request. */
export interface Caller {
  /** Network address. */
  address: string
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

/** The key of the member, or of all unknown callers at a network address. */
export function callerKey({ address, member }: Pick<Caller, 'address' | 'member'>): string {
  return member === null ? addressKey(address) : `member ${member}`
}
