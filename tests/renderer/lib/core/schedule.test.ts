import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle, onNetworkIdle } from '#/renderer/lib/core/schedule'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a throttled function runs once for calls within a short time, and again for later calls', () => {
  const work = vi.fn()
  const ask = createThrottle(work)
  for (let index = 0; index < 20; index += 1) ask()
  expect(work).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(1)
  ask()
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(2)
})

test('MSG-01 messages that arrive during a refetch do not cancel it: one more refetch follows', () => {
  const work = vi.fn()
  let isBusy = true
  const ask = createThrottle(work, () => isBusy)
  for (let index = 0; index < 20; index += 1) {
    ask()
    vi.advanceTimersByTime(100)
  }
  expect(work).not.toHaveBeenCalled()
  isBusy = false
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(1)
})

test('FEED-01 background work starts after the last result is on screen, and waits for the queries that the page then starts', async () => {
  // A browser that is idle whenever it can be.
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => queueMicrotask(callback))
  vi.stubGlobal('cancelIdleCallback', () => undefined)
  const client = new QueryClient()
  const steps: string[] = []
  const respond = new Map<string, () => void>()
  const load = (name: string) =>
    new QueryObserver(client, {
      queryKey: [name],
      queryFn: () => new Promise<string>((resolve) => respond.set(name, () => resolve(name))),
    })
  const thumbnails = load('thumbnails')
  const stops = [
    load('posts').subscribe(({ isSuccess }) => {
      if (!isSuccess || steps.length > 0) return
      steps.push('posts on screen')
      stops.push(thumbnails.subscribe(() => undefined))
    }),
    onNetworkIdle(client, () => steps.push('background work')),
  ]
  await vi.advanceTimersByTimeAsync(10)
  expect(steps).toEqual([])
  respond.get('posts')?.()
  await vi.advanceTimersByTimeAsync(10)
  expect(steps).toEqual(['posts on screen'])
  respond.get('thumbnails')?.()
  await vi.advanceTimersByTimeAsync(10)
  expect(steps).toEqual(['posts on screen', 'background work'])
  for (const stop of stops) stop()
})

test('FEED-01 thousands of queries of a page are counted once for all their events, not at each', async () => {
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => queueMicrotask(callback))
  vi.stubGlobal('cancelIdleCallback', () => undefined)
  const client = new QueryClient()
  const count = vi.spyOn(client, 'isFetching')
  const done = vi.fn()
  onNetworkIdle(client, done)
  const stops = Array.from({ length: 1_000 }, (_, index) =>
    new QueryObserver(client, { queryKey: [index], queryFn: async () => index }).subscribe(() => undefined),
  )
  await vi.advanceTimersByTimeAsync(10)
  expect(done).toHaveBeenCalledTimes(1)
  expect(count.mock.calls.length).toBeLessThan(20)
  for (const stop of stops) stop()
})
