import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/errors'
import { restartHungReads } from '#/renderer/lib/hung-reads'
import { createQueryClient, keepRecovering } from '#/renderer/lib/query-client'

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))
vi.mock('#/renderer/lib/supabase', () => ({}))

/** When requests are given up, as in lib/timed-fetch, and checks, in milliseconds. */
const [READ_MS, CHECK_MS] = [10_000, 3_000]

describe('FEED-12 a read that hangs', () => {
  const server = { isHanging: false, delay: 0, reads: [] as string[], checks: 0 }

  /** Answers at once, or not at all: what was asked while the server hangs is lost. */
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

  // Every moment of what the app does meanwhile: waiting, retrying, checking, pausing.
  const outages = [500, 3_000, 4_900, 6_500, 9_900, 10_500, 20_000, 33_000, 36_000, 39_500, 47_000, 180_000]
  test.each(outages)(
    'is answered within ten seconds of the server after an outage of %i ms',
    async (length) => {
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
    },
  )

  test('is restarted as the next page that it was', async () => {
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

  test('but is only slow is restarted once at most, and answered', async () => {
    server.delay = 9_000
    const { shown } = show('profile')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(shown()).toBe('profile')
    expect(server.reads.length).toBeLessThanOrEqual(2)
  })

  test('causes no check while reads are answered, nor once nobody shows it', async () => {
    show('profile')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.checks).toBe(0)
    server.isHanging = true
    show('comments').close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.checks).toBe(0)
  })
})
