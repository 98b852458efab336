import { InfiniteQueryObserver, MutationObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError, type ErrorCode } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { createQueryClient, keepRecovering, refetch, STALE } from '#/renderer/lib/query-client'
import { allFinished } from '#/renderer/lib/under-way'

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))

const KEY = ['things'] as const

/** A screen that shows what a server knows; each read tells what was true when it began. */
function openScreen() {
  const client = createQueryClient()
  const server = { value: 'old', reads: 0, answer: [] as (() => void)[] }
  const read = () => {
    server.reads += 1
    const { value } = server
    return new Promise<string>((resolve) => server.answer.push(() => resolve(value)))
  }
  const screen = new QueryObserver(client, { queryKey: KEY, queryFn: read, staleTime: 0 })
  const close = screen.subscribe(() => undefined)
  return { client, server, shown: () => screen.getCurrentResult().data, close }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

test.each(['first', 'later'])('reading anew does not join the %s read, which may be older', async (which) => {
  const { client, server, shown, close } = openScreen()
  if (which === 'later') {
    server.answer.shift()?.()
    await settle()
    void client.invalidateQueries({ queryKey: KEY })
    await settle()
  }
  const before = server.reads
  server.value = 'new'
  const done = refetch(client, KEY)
  await settle()
  expect(server.reads).toBe(before + 1)
  for (const answer of server.answer.splice(0)) answer()
  await done
  expect(shown()).toBe('new')
  close()
})

test('what nobody shows is read when it is shown again, not before', async () => {
  const { client, server, close } = openScreen()
  server.answer.shift()?.()
  await settle()
  close()
  await refetch(client, KEY)
  expect(server.reads).toBe(1)
  expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
})

test('a mutation that fails is logged once, under the name of its action; without one its caller logs', async () => {
  vi.mocked(logFailure).mockClear()
  const cause = new AppError('server', '', 'test')
  const client = createQueryClient()
  const mutate = (meta: { meta?: { action: string } }) =>
    new MutationObserver(client, { mutationFn: () => Promise.reject(cause), ...meta }).mutate()
  await expect(mutate({ meta: { action: 'edit post' } })).rejects.toBe(cause)
  await expect(mutate({})).rejects.toBe(cause)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['edit post', cause]])
})

test.each(['succeeds', 'fails'])(
  'quitting waits for a mutation that %s, until its last callback is done',
  async (end) => {
    const did: string[] = []
    const later = (what: string) => async () => {
      await settle()
      did.push(what)
    }
    const mutation = new MutationObserver(createQueryClient(), {
      mutationFn: async () => {
        await later('sent')()
        if (end === 'fails') throw new Error('refused')
      },
      onSuccess: later('success'),
      onError: later('error'),
      onSettled: later('settled'),
    })
    mutation.mutate().catch(() => undefined)
    await allFinished()
    expect(did).toEqual(['sent', end === 'fails' ? 'error' : 'success', 'settled'])
  },
)

describe('FEED-12 what is on screen and failed is read again', () => {
  const server = { failure: null as ErrorCode | null, reads: [] as string[] }
  const read = async (what: string) => {
    server.reads.push(what)
    if (server.failure !== null) throw new AppError(server.failure, '', '')
    return what
  }

  let client: ReturnType<typeof createQueryClient>
  let stop: () => void

  beforeEach(() => {
    vi.useFakeTimers()
    server.failure = null
    server.reads = []
    client = createQueryClient()
    // The latest possible moment.
    stop = keepRecovering(client, () => 1)
  })

  afterEach(() => {
    stop()
    client.clear()
    vi.useRealTimers()
  })

  /** Shows something on screen, as a component does. */
  function show(what: string, staleTime: number | 'static' = 0) {
    const observer = new QueryObserver(client, { queryKey: [what], queryFn: () => read(what), staleTime })
    const close = observer.subscribe(() => undefined)
    return { result: () => observer.getCurrentResult(), close }
  }

  test.each<ErrorCode>(['offline', 'server', 'rate-limited'])(
    'within ten seconds after %s, first one query, then all, never-stale ones too',
    async (failure) => {
      server.failure = failure
      const screens = [show('profile'), show('follows', STALE.live), show('comments')]
      await vi.advanceTimersByTimeAsync(60_000)
      for (const { result } of screens) expect(result().isError).toBe(true)
      server.reads = []
      await vi.advanceTimersByTimeAsync(10_000)
      expect(new Set(server.reads).size, 'one query asks whether the server is back').toBe(1)
      server.failure = null
      await vi.advanceTimersByTimeAsync(10_000)
      expect(screens.map(({ result }) => result().data)).toEqual(['profile', 'follows', 'comments'])
      server.reads = []
      await vi.advanceTimersByTimeAsync(60_000)
      expect(server.reads).toEqual([])
    },
  )

  test('the next page of a list, without the pages before it', async () => {
    const observer = new InfiniteQueryObserver(client, {
      queryKey: ['feed'],
      queryFn: ({ pageParam }) => read(`page ${pageParam}`),
      initialPageParam: 1,
      getNextPageParam: (_last: string, pages: string[]) => pages.length + 1,
    })
    observer.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    server.failure = 'server'
    void observer.fetchNextPage()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(observer.getCurrentResult().isFetchNextPageError).toBe(true)
    server.failure = null
    server.reads = []
    await vi.advanceTimersByTimeAsync(10_000)
    expect(observer.getCurrentResult().data?.pages).toEqual(['page 1', 'page 2'])
    expect(server.reads).toEqual(['page 2'])
  })

  test('but not what the server refuses, nor what nobody shows any more', async () => {
    server.failure = 'forbidden'
    const refused = show('private post')
    server.failure = 'server'
    const left = show('left')
    await vi.advanceTimersByTimeAsync(4_000)
    left.close()
    server.failure = null
    server.reads = []
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.reads).toEqual([])
    expect(refused.result().isError).toBe(true)
  })
})
