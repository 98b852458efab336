import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { setMuted } from '#/renderer/features/safety/mutes'

const server = vi.hoisted(() => ({
  muted: new Set<string>(),
  /** Resolves when the server may answer the next write. */
  write: Promise.resolve(),
}))

vi.mock('#/renderer/lib/supabase', () => ({
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

/** The list as a screen follows it; `read` gives what the server has at that moment, or hangs. */
function follow(read: () => Promise<string[]>): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: read, staleTime: 60_000 })
  onTestFinished(observer.subscribe(() => undefined))
  return client
}

const everybody = async () => [...server.muted]
const shown = (client: QueryClient) => client.getQueryData<string[]>(KEY)

beforeEach(() => {
  server.muted = new Set(['bea', 'cyd'])
  server.write = Promise.resolve()
})

test('SAFE-02 muting before the list is there leaves everybody else muted', async () => {
  let isFirst = true
  const client = follow(() => {
    // The first read never ends: what is muted meanwhile must not wait for it.
    if (!isFirst) return everybody()
    isFirst = false
    return new Promise(() => undefined)
  })
  const muting = setMuted(client, 'me', 'ada', true)
  expect(shown(client)).toBeUndefined()
  expect(await muting).toBe(true)
  await vi.waitFor(() => expect(shown(client)).toEqual(['bea', 'cyd', 'ada']))
})

test('SAFE-02 muting shows at once, and a list that was being read is read again', async () => {
  const client = follow(everybody)
  await vi.waitFor(() => expect(shown(client)).toEqual(['bea', 'cyd']))
  let answerWrite = (): void => undefined
  server.write = new Promise((resolve) => {
    answerWrite = resolve
  })
  const first = setMuted(client, 'me', 'bea', false)
  expect(shown(client)).toEqual(['cyd'])
  // Pressed again before the answer: what the server has now is not what is wanted.
  await setMuted(client, 'me', 'bea', true)
  server.muted.add('dan')
  expect(shown(client)).toEqual(['cyd', 'bea'])
  await Promise.resolve()
  expect(client.isFetching({ queryKey: KEY })).toBe(0)
  answerWrite()
  expect(await first).toBe(true)
  await vi.waitFor(() => expect(shown(client)).toEqual(['cyd', 'dan', 'bea']))
  expect([...server.muted]).toEqual(['cyd', 'dan', 'bea'])
})
