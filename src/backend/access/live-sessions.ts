import type { Exclusive } from '#/backend/base/queue'
import type { Listen, Queries } from '#/backend/database/queries'
import { SESSIONS_CHANNEL } from '#/backend/database/setup-realtime'

/** Beyond this, the oldest cached session is dropped and looked up again when it is used. */
const SESSIONS_MAX = 10_000

/** Caches members' sessions until they end, so that each is looked up once. */
export interface LiveSessions {
  isLive(session: string): Promise<boolean>
  /** Calls the listener with the id of each session that ends. */
  onEnd(listener: (session: string) => void): void
  /** Looks up all cached sessions. Call after a restart, because notifications may have been lost. */
  refresh(): Promise<void>
}

export function createLiveSessions(pg: Queries, exclusive: Exclusive, listen: Listen): LiveSessions {
  /** Includes ended sessions, so that requests with their tokens do not query the database. */
  const cached = new Map<string, Promise<boolean>>()
  const listeners = new Set<(session: string) => void>()

  const store = (session: string, isLive: Promise<boolean>) => {
    cached.set(session, isLive)
    const [oldest] = cached.keys()
    if (cached.size > SESSIONS_MAX && oldest !== undefined) cached.delete(oldest)
  }

  const findLive = async (sessions: string[]): Promise<Set<string>> => {
    const sql = 'select id from auth.sessions where id = any ($1::uuid[])'
    const { rows } = await exclusive(() => pg.query<{ id: string }>(sql, [sessions]))
    return new Set(rows.map(({ id }) => id))
  }

  const end = (session: string) => {
    store(session, Promise.resolve(false))
    for (const listener of listeners) listener(session)
  }

  listen(SESSIONS_CHANNEL, end)

  return {
    isLive: (session) => {
      const known = cached.get(session)
      if (known !== undefined) return known
      const lookup = findLive([session]).then((live) => live.has(session))
      store(session, lookup)
      lookup.catch(() => {
        if (cached.get(session) === lookup) cached.delete(session)
      })
      return lookup
    },
    onEnd: (listener) => {
      listeners.add(listener)
    },
    refresh: async () => {
      const sessions = [...cached.keys()]
      cached.clear()
      const live = await findLive(sessions)
      for (const session of sessions) {
        if (!live.has(session)) end(session)
      }
    },
  }
}
