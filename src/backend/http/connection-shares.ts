import { callerKey, STRANGERS } from './caller'

export interface ConnectionLimits {
  total: number
  /** Connections on which no member is known. */
  ofStrangers: number
  /** Connections of one member in all sessions, because a member can start any number of sessions. */
  perMember: number
}

/** Distributes open connections among callers, so that no caller can use all of them. */
export interface ConnectionShares {
  /**
   * Admits a connection, or returns null if the server is full. If strangers have used their share, evicts the oldest of
   * their connections, so that a member can always connect and sign in.
   */
  admit(evict: () => void): ConnectionShare | null
}

export interface ConnectionShare {
  /** Counts the connection for this member from now on. Returns false if the member has used their share. */
  identify(member: string): boolean
  /** Counts the connection for strangers again, because the member's session has ended. */
  forget(): void
  /** Removes the connection. Idempotent. */
  free(): void
}

interface OpenConnection {
  caller: string
  evict: () => void
}

export function createConnectionShares({
  total,
  ofStrangers,
  perMember,
}: ConnectionLimits): ConnectionShares {
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
    admit: (evict) => {
      const connection = { caller: STRANGERS, evict }
      const [oldest] = open.get(STRANGERS) ?? []
      if (oldest !== undefined && sizeOf(STRANGERS) >= ofStrangers) {
        remove(oldest)
        oldest.evict()
      }
      if (count >= total) return null
      add(connection)
      return {
        identify: (member) => {
          const caller = callerKey(member)
          if (connection.caller === caller) return true
          if (sizeOf(caller) >= perMember || !remove(connection)) return false
          connection.caller = caller
          add(connection)
          return true
        },
        forget: () => {
          if (connection.caller === STRANGERS || !remove(connection)) return
          connection.caller = STRANGERS
          if (sizeOf(STRANGERS) < ofStrangers) add(connection)
          else evict()
        },
        free: () => {
          remove(connection)
        },
      }
    },
  }
}
