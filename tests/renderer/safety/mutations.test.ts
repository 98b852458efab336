import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { setMuted } from '#/renderer/features/safety/mutations'
import { forgetMember } from '#/renderer/lib/disk-cache/forget-member'
import { gate } from '#tests/gate'

const server = vi.hoisted(() => ({
  muted: new Set<string>(),
  /** The server delays each write until this resolves. */
  write: Promise.resolve(),
}))

vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: () => Promise<unknown>) => request(),
  supabase: () => ({
    from: () => ({
      upsert:
        ({ muted_id }: { muted_id: string }) =>
        async () => {
          await server.write
          server.muted.add(muted_id)
        },
      delete: () => ({
        eq: () => ({
          eq: (_column: string, id: string) => async () => {
            await server.write
            server.muted.delete(id)
          },
        }),
      }),
    }),
  }),
}))

const KEY = ['muted']

/** Observes the list of muted ids like a screen. */
function observe(read: () => Promise<string[]>): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: read, staleTime: 60_000 })
  onTestFinished(observer.subscribe(() => undefined))
  return client
}

const loadAll = async () => [...server.muted]
const shown = (client: QueryClient) => client.getQueryData<string[]>(KEY)

beforeEach(() => {
  server.muted = new Set(['bea', 'cyd'])
  server.write = Promise.resolve()
})

test('SAFE-02 muting before the list has loaded keeps everyone else muted', async () => {
  let isFirst = true
  const client = observe(() => {
    // The first fetch never ends: the mute must not wait for it.
    if (!isFirst) return loadAll()
    isFirst = false
    return new Promise(() => undefined)
  })
  const muting = setMuted(client, 'me', 'ada', true)
  expect(shown(client)).toBeUndefined()
  expect(await muting).toBe(true)
  await vi.waitFor(() => expect(shown(client)).toEqual(['bea', 'cyd', 'ada']))
})

test('SAFE-02 a mute shows at once, and a list fetch in flight is restarted', async () => {
  const client = observe(loadAll)
  await vi.waitFor(() => expect(shown(client)).toEqual(['bea', 'cyd']))
  const { opened, open: finishWrite } = gate()
  server.write = opened
  const first = setMuted(client, 'me', 'bea', false)
  expect(shown(client)).toEqual(['cyd'])
  // Pressed again before the response: the server's current list is outdated.
  await setMuted(client, 'me', 'bea', true)
  server.muted.add('dan')
  expect(shown(client)).toEqual(['cyd', 'bea'])
  await Promise.resolve()
  expect(client.isFetching({ queryKey: KEY })).toBe(0)
  finishWrite()
  expect(await first).toBe(true)
  await vi.waitFor(() => expect(shown(client)).toEqual(['cyd', 'dan', 'bea']))
  expect([...server.muted]).toEqual(['cyd', 'dan', 'bea'])
})

test('SAFE-01 a block removes the member from cached queries but not from conversations, and undo restores them', async () => {
  const client = new QueryClient()
  client.setQueryDefaults(['conversations'], { meta: { keepsBlocked: true } })
  const post = { id: 'p', user_id: 'gone' }
  const conversations = [{ id: 'c', otherId: 'gone' }]
  client.setQueryData(['post', 'p'], post)
  client.setQueryData(['conversations', 'list'], conversations)
  const restore = await forgetMember(client, { id: 'gone', username: 'gone.name' })
  expect(client.getQueryData(['post', 'p'])).toBeNull()
  expect(client.getQueryData(['conversations', 'list'])).toEqual(conversations)
  restore()
  expect(client.getQueryData(['post', 'p'])).toEqual(post)
})

test('SAFE-01 a block and its undo update only the queries that held the member', async () => {
  const client = new QueryClient()
  const updated: string[] = []
  for (const [name, user_id] of [
    ['feed', 'gone'],
    ['search', 'kept'],
  ] as const)
    client.setQueryData([name], [{ user_id }])
  onTestFinished(
    client.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated') updated.push(String(query.queryKey[0]))
    }),
  )
  const restore = await forgetMember(client, { id: 'gone', username: 'gone.name' })
  client.setQueryData(['search'], [])
  restore()
  expect(updated).toEqual(['feed', 'search', 'feed'])
  expect(client.getQueryData(['search'])).toEqual([])
})
