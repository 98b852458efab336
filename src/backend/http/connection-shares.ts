import { addressKey } from './network-address'

export interface ConnectionLimits {
  total: number
  /** Connections of one network address on which no member is known. All of loopback counts as one address. */
  perAddress: number
  /** Connections of one member in all sessions, because a member can start any number of sessions. */
  perMember: number
}

/** Distributes open connections among callers, so that no caller can use all of them. */
export interface ConnectionShares {
  /**
   * Admits a connection from this network address, or returns null if the server is full. If the address has used its
   * share, evicts its oldest connection, so that a member behind the same address can always connect and sign in.
   */
  admit(address: string, evict: () => void): ConnectionShare | null
}

export interface ConnectionShare {
  /** Counts the connection for this member from now on. Returns false if the member has used their share. */
  identify(member: string): boolean
  /** Counts the connection for its address again, because the member's session has ended. */
  forget(): void
  /** Removes the connection. Idempotent. */
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
      const stranger = `address ${addressKey(address)}`
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
