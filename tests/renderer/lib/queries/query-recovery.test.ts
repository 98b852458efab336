import { InfiniteQueryObserver, notifyManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError, type ErrorCode } from '#/renderer/lib/core/errors'
import { createQueryClient, refetch, STALE } from '#/renderer/lib/queries/query-client'
import { keepRecovering, restartHungReads, retryFailedQueries } from '#/renderer/lib/queries/query-recovery'

vi.mock('#/renderer/lib/server/supabase', () => ({}))

/** When requests are given up, as in lib/timed-fetch, and checks, in milliseconds. */
const [READ_MS, CHECK_MS] = [10_000, 3_000]

describe('FEED-12 a read that hangs', () => {
  const server = { isHanging: false, delay: 0, reads: [] as string[], checks: 0 }

  /** Responds immediately, or not at all while the server hangs. */
  function ask<T>(value: T, limit: number): Promise<T> {
    return new Promise((resolve, reject) => {
      if (server.isHanging) setTimeout(() => reject(new AppError('offline', '', 'timed out')), limit)
      else setTimeout(() => resolve(value), server.delay)
    })
  }
  const read = (what: string) => {
    server.reads.push(what)
    return ask(what, READ_MS)
  }

  let client: ReturnType<typeof createQueryClient>
  let stop: () => void

  beforeEach(() => {
    vi.useFakeTimers()
    Object.assign(server, { isHanging: false, delay: 0, reads: [], checks: 0 })
    client = createQueryClient()
    const isAnswering = async () => {
      server.checks += 1
      const { delay } = server
      server.delay = 0
      const answered = ask(true, CHECK_MS).catch(() => false)
      server.delay = delay
      return answered
    }
    // The latest possible moments.
    const stopRestarting = restartHungReads(client, isAnswering, () => 1)
    const stopRecovering = keepRecovering(client, () => 1)
    stop = () => {
      stopRestarting()
      stopRecovering()
    }
  })

  afterEach(() => {
    stop()
    client.clear()
    vi.useRealTimers()
  })

  function show(what: string) {
    const observer = new QueryObserver(client, { queryKey: [what], queryFn: () => read(what) })
    const close = observer.subscribe(() => undefined)
    return { shown: () => observer.getCurrentResult().data, close }
  }

  // One length for each state of the app: waiting, retrying, checking, pausing.
  const outages = [500, 3_000, 4_900, 6_500, 9_900, 10_500, 20_000, 33_000, 36_000, 39_500, 47_000, 180_000]
  test.each(outages)('is answered within ten seconds after an outage of %i ms has ended', async (length) => {
    server.isHanging = true
    const screens = [show('profile'), show('comments')]
    await vi.advanceTimersByTimeAsync(length)
    expect(screens.map(({ shown }) => shown())).toEqual([undefined, undefined])
    server.isHanging = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(screens.map(({ shown }) => shown())).toEqual(['profile', 'comments'])
    const { checks } = server
    server.reads = []
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.reads).toEqual([])
    expect(server.checks).toBe(checks)
  })

  test('is restarted as a fetch of the next page only', async () => {
    const observer = new InfiniteQueryObserver(client, {
      queryKey: ['feed'],
      queryFn: ({ pageParam }) => read(`page ${pageParam}`),
      initialPageParam: 1,
      getNextPageParam: (_last: string, pages: string[]) => pages.length + 1,
    })
    observer.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    server.isHanging = true
    void observer.fetchNextPage()
    await vi.advanceTimersByTimeAsync(3_000)
    server.isHanging = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(observer.getCurrentResult().data?.pages).toEqual(['page 1', 'page 2'])
    expect(server.reads).toEqual(['page 1', 'page 2', 'page 2'])
  })

  test('is restarted at most once if it is only slow', async () => {
    server.delay = 9_000
    const { shown } = show('profile')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(shown()).toBe('profile')
    expect(server.reads.length).toBeLessThanOrEqual(2)
  })

  test('causes no check while reads are answered, nor when no screen shows it', async () => {
    show('profile')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.checks).toBe(0)
    server.isHanging = true
    show('comments').close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.checks).toBe(0)
  })
})

describe('FEED-12 failed queries on screen are retried', () => {
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
      expect(new Set(server.reads).size, 'one query probes the server').toBe(1)
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

  test('but not a refused query, nor one that no screen shows', async () => {
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

describe('FEED-10 retries of failed reads in the background', () => {
  const server = { failure: 'server' as ErrorCode | null, reads: 0 }
  const read = async (what: string) => {
    server.reads += 1
    if (server.failure !== null) throw new AppError(server.failure, '', '')
    return what
  }

  let client: ReturnType<typeof createQueryClient>
  let stop: () => void

  beforeEach(() => {
    vi.useFakeTimers()
    Object.assign(server, { failure: 'server', reads: 0 })
    client = createQueryClient()
    const stops = [
      keepRecovering(client, () => 1),
      restartHungReads(
        client,
        async () => true,
        () => 1,
      ),
    ]
    stop = () => {
      for (const end of stops) end()
    }
  })

  afterEach(() => {
    stop()
    client.clear()
    vi.useRealTimers()
  })

  interface Observer {
    getCurrentResult(): { status: string; isLoading: boolean; isError: boolean; data: unknown }
    subscribe(listener: () => void): () => void
  }

  /** What a screen shows of a read, each time it renders: no two following are the same. */
  function shownBy(observer: Observer) {
    const shown: string[] = []
    const render = () => {
      const { status, isLoading, isError, data } = observer.getCurrentResult()
      const next = [
        status,
        isLoading ? 'spinner' : '',
        isError ? 'Try again' : '',
        JSON.stringify(data),
      ].join(' ')
      if (shown.at(-1) !== next) shown.push(next)
    }
    // As `useQuery` does: it renders after all updates of a fetch.
    observer.subscribe(notifyManager.batchCalls(render))
    render()
    return shown
  }

  const reads = {
    query: () => new QueryObserver(client, { queryKey: ['profile'], queryFn: () => read('profile') }),
    'never-stale query': () =>
      new QueryObserver(client, {
        queryKey: ['follows'],
        queryFn: () => read('follows'),
        staleTime: STALE.live,
      }),
    'infinite list': () =>
      new InfiniteQueryObserver(client, {
        queryKey: ['feed'],
        queryFn: () => read('page'),
        initialPageParam: 1,
        getNextPageParam: () => undefined,
      }),
  }

  test.each(Object.entries(reads))(
    'change nothing on screen until one succeeds: %s',
    async (_name, create) => {
      const observer = create()
      const shown = shownBy(observer)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(shown.length, 'a spinner, then the failure').toBe(2)
      const { reads: before } = server
      await vi.advanceTimersByTimeAsync(60_000)
      // Also when an event or a reconnect refetches it.
      void refetch(client, observer.options.queryKey)
      await vi.advanceTimersByTimeAsync(20_000)
      void retryFailedQueries(client)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(server.reads - before, 'several retries').toBeGreaterThan(10)
      expect(shown.length).toBe(2)
      server.failure = null
      await vi.advanceTimersByTimeAsync(10_000)
      expect(shown.length).toBe(3)
      expect(shown.at(-1)).toContain('success')
    },
  )

  test('a screen that is opened again shows the failure at once', async () => {
    const close = reads.query().subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(10_000)
    close()
    const shown = shownBy(reads.query())
    await vi.advanceTimersByTimeAsync(30_000)
    expect(shown.length).toBe(1)
    expect(shown[0]).toContain('error')
  })

  test('a query that is reset loads as for the first time', async () => {
    const observer = reads.query()
    observer.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(10_000)
    void client.resetQueries({ queryKey: ['profile'] })
    await vi.advanceTimersByTimeAsync(10)
    expect(observer.getCurrentResult().status).toBe('pending')
  })
})
