import { callerOf } from './network-address'

export interface ConnectionLimits {
  total: number
  /** Of one network address, as long as no member is known to use them. All of loopback is one address. */
  perAddress: number
  /** Of one member, with all sessions: a session costs no more than a sign-in. */
  perMember: number
}

/** Distributes open connections among callers, so that none of them can take all. */
export interface ConnectionShares {
  /**
   * Admits a connection from this network address, or returns null if the server is full. If the address has its share
   * already, evicts its oldest connection: a member behind the same address can always connect and identify themselves.
   */
  admit(address: string, evict: () => void): ConnectionShare | null
}

export interface ConnectionShare {
  /** Counts the connection as this member's from now on. Returns false if the member has their share already. */
  identify(member: string): boolean
  /** Counts the connection for its address again: the member's session has ended. */
  forget(): void
  /** Removes the connection; calling it again does nothing. */
  free(): void
}

interface OpenConnection {
  caller: string
  evict: () => void
}

export function createConnectionShares({ total, perAddress, perMember }: ConnectionLimits): ConnectionShares {
  /** By caller, oldest first. */
  const open = new Map<string, Set<OpenConnection>>()
  let count = 0

  const sizeOf = (caller: string): number => open.get(caller)?.size ?? 0

  const add = (connection: OpenConnection) => {
    const own = open.get(connection.caller) ?? new Set()
    open.set(connection.caller, own.add(connection))
    count += 1
  }

  const remove = (connection: OpenConnection): boolean => {
    const own = open.get(connection.caller)
    if (own?.delete(connection) !== true) return false
    if (own.size === 0) open.delete(connection.caller)
    count -= 1
    return true
  }

  return {
    admit: (address, evict) => {
      const stranger = `address ${callerOf(address)}`
      const connection = { caller: stranger, evict }
      const [oldest] = open.get(connection.caller) ?? []
      if (oldest !== undefined && sizeOf(connection.caller) >= perAddress) {
        remove(oldest)
        oldest.evict()
      }
      if (count >= total) return null
      add(connection)
      return {
        identify: (member) => {
          const caller = `member ${member}`
          if (connection.caller === caller) return true
          if (sizeOf(caller) >= perMember || !remove(connection)) return false
          connection.caller = caller
          add(connection)
          return true
        },
        forget: () => {
          if (connection.caller === stranger || !remove(connection)) return
          connection.caller = stranger
          if (sizeOf(stranger) < perAddress) add(connection)
          else evict()
        },
        free: () => {
          remove(connection)
        },
      }
    },
  }
}
