import { expect, test, vi } from 'vitest'
import { createLiveSessions } from '#/backend/access/live-sessions'
import { createQueue } from '#/backend/base/queue'
import type { Listen, Queries } from '#/backend/database/queries'

/** A fake database with these sessions that counts queries. */
function openWith(...live: string[]) {
  const rows = new Set(live)
  let notifyListener: (session: string) => void = () => undefined
  const database = { failing: false, queries: 0, notify: (session: string) => notifyListener(session) }
  const pg = {
    query: async (_sql: string, [sessions]: [string[]]) => {
      database.queries += 1
      if (database.failing) throw new Error('The database is closed.')
      return { rows: sessions.filter((id) => rows.has(id)).map((id) => ({ id })) }
    },
  }
  const listen: Listen = (_channel, listener) => {
    notifyListener = listener
  }
  const sessions = createLiveSessions(pg as unknown as Queries, createQueue(), listen)
  return { rows, database, sessions }
}

test('a session is looked up once, until it ends', async () => {
  const { database, sessions } = openWith('ada')
  const ended = vi.fn()
  sessions.onEnd(ended)
  expect(await Promise.all([sessions.isLive('ada'), sessions.isLive('ada')])).toEqual([true, true])
  expect(await sessions.isLive('ada')).toBe(true)
  expect([await sessions.isLive('ben'), await sessions.isLive('ben')]).toEqual([false, false])
  database.notify('ada')
  expect(await sessions.isLive('ada')).toBe(false)
  expect(ended.mock.calls).toEqual([['ada']])
  expect(database.queries).toBe(2)
})

test('a failed lookup is repeated', async () => {
  const { database, sessions } = openWith('ada')
  database.failing = true
  await expect(sessions.isLive('ada')).rejects.toThrow('The database is closed.')
  database.failing = false
  expect(await sessions.isLive('ada')).toBe(true)
})

test('sessions that ended without a notification are found by a refresh', async () => {
  const { rows, sessions } = openWith('ada', 'ben')
  const ended = vi.fn()
  sessions.onEnd(ended)
  for (const session of ['ada', 'ben']) await sessions.isLive(session)
  rows.delete('ada')
  await sessions.refresh()
  expect(ended.mock.calls).toEqual([['ada']])
  expect([await sessions.isLive('ada'), await sessions.isLive('ben')]).toEqual([false, true])
})
