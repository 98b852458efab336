import { callerOf } from './network-address'

/** Who sent a request. */
export interface Caller {
  /** Network address. */
  address: string
  /** Id of the signed-in member, if known. */
  member: string | null
  /** Whether the connection is closed: nobody reads the response. */
  isGone(): boolean
  /** Takes memory for a response of so many bytes until it is read; false when there is not enough. */
  reserve(bytes: number): boolean
}

/** The same for all requests that share a turn: a member's, or those of strangers at one address. */
export function turnKey({ address, member }: Pick<Caller, 'address' | 'member'>): string {
  return member === null ? callerOf(address) : `member ${member}`
}
