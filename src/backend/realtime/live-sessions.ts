import type { Session } from '#/backend/database/queries'
import type { Exclusive } from '#/backend/mutex'
import { SESSIONS_CHANNEL } from './setup-sql'

/** The most sessions that are cached. Beyond that the oldest is dropped, and looked up when it is used. */
const SESSIONS_MAX = 10_000

/** Members' sessions, remembered until they end, so that each is looked up once. */
export interface LiveSessions {
  isLive(session: string): Promise<boolean>
  /** Calls the listener with the id of each remembered session that ends. */
  onEnd(listener: (session: string) => void): void
  /** Looks up all remembered sessions, because notifications may be lost. */
  refresh(): Promise<void>
}

export async function openLiveSessions(pg: Session, exclusive: Exclusive): Promise<LiveSessions> {
  /** Ended sessions too: requests with their tokens must not keep the database busy. */
  const known = new Map<string, Promise<boolean>>()
  const listeners = new Set<(session: string) => void>()

  const remember = (session: string, isLive: Promise<boolean>) => {
    known.set(session, isLive)
    const [oldest] = known.keys()
    if (known.size > SESSIONS_MAX && oldest !== undefined) known.delete(oldest)
  }

  const findLive = async (sessions: string[]): Promise<Set<string>> => {
    const sql = 'select id from auth.sessions where id = any ($1::uuid[])'
    const { rows } = await exclusive(() => pg.query<{ id: string }>(sql, [sessions]))
    return new Set(rows.map(({ id }) => id))
  }

  const end = (session: string) => {
    remember(session, Promise.resolve(false))
    for (const listener of listeners) listener(session)
  }

  await exclusive(() => pg.listen(SESSIONS_CHANNEL, end))

  return {
    isLive: (session) => {
      const remembered = known.get(session)
      if (remembered !== undefined) return remembered
      const looked = findLive([session]).then((live) => live.has(session))
      remember(session, looked)
      looked.catch(() => {
        if (known.get(session) === looked) known.delete(session)
      })
      return looked
    },
    onEnd: (listener) => {
      listeners.add(listener)
    },
    refresh: async () => {
      const sessions = [...known.keys()]
      known.clear()
      const live = await findLive(sessions)
      for (const session of sessions) {
        if (!live.has(session)) end(session)
      }
    },
  }
}
