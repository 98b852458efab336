import { beforeEach, expect, test, vi } from 'vitest'
import { loadNotificationGroups } from '#/renderer/features/notifications/queries'
import { NOTIFICATIONS_PAGE } from '#/shared/limits'

const server = vi.hoisted(() => ({ rows: [] as object[], calls: [] as object[] }))

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({
    rpc: (name: string, args: object) => {
      server.calls.push({ name, ...args })
      return server.rows
    },
  }),
  unwrap: async (rows: unknown) => rows,
}))

const row = (n: number, actor_count = 1) => ({
  id: `id ${n}`,
  group_key: `like ${n}`,
  created_at: `time ${n}`,
  actor_count,
  actors: actor_count === 0 ? null : [{ id: 'ada' }],
})
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n))

beforeEach(() => {
  server.calls = []
})

test('NOTE-01 a full page has a next page, which starts at its last group', async () => {
  server.rows = rows(NOTIFICATIONS_PAGE)
  const { groups, next } = await loadNotificationGroups(null)
  expect(groups).toHaveLength(NOTIFICATIONS_PAGE)
  expect(next).toEqual({ createdAt: 'time 19', id: 'id 19' })
  await loadNotificationGroups(next ?? null)
  expect(server.calls).toEqual([
    { name: 'notification_groups' },
    { name: 'notification_groups', before_at: 'time 19', before_id: 'id 19' },
  ])
})

test('NOTE-01 a page that is not full is the last one', async () => {
  server.rows = rows(3)
  expect(await loadNotificationGroups(null)).toMatchObject({ groups: rows(3), next: undefined })
  server.rows = []
  expect(await loadNotificationGroups(null)).toEqual({ groups: [], next: undefined })
})

test('NOTE-01 a page that the server ended early continues at its last row, which is no group', async () => {
  server.rows = [row(0), row(1), row(2, 0)]
  const { groups, next } = await loadNotificationGroups(null)
  expect(groups.map(({ id }) => id)).toEqual(['id 0', 'id 1'])
  expect(next).toEqual({ createdAt: 'time 2', id: 'id 2' })
})

test.each([null, []])(
  'NOTE-01 a full page without a visible member (actors: %j) has a next page too',
  async (actors) => {
    server.rows = rows(NOTIFICATIONS_PAGE).map((each) => ({ ...each, actors }))
    expect(await loadNotificationGroups(null)).toEqual({
      groups: [],
      next: { createdAt: 'time 19', id: 'id 19' },
    })
  },
)
