import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'

const always = () => true

/** Callbacks that wait for an idle browser. */
let idle: (() => void)[]

async function runIdle(): Promise<void> {
  const now = idle.splice(0)
  for (const callback of now) callback()
  await new Promise((resolve) => setTimeout(resolve, 0))
}

beforeEach(() => {
  vi.resetModules()
  vi.mocked(logFailure).mockReset()
  idle = []
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback))
  vi.stubGlobal('cancelIdleCallback', (handle: number) => {
    idle[handle - 1] = () => undefined
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('loads registered code when the browser is idle, one part after the other, once each', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/browser/load-ahead-store')
  const [first, second] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  expect(loadAhead(first)).toBe(first)
  loadAhead(second)
  startLoadingAhead(always)
  expect(first).not.toHaveBeenCalled()
  await runIdle()
  expect(first).toHaveBeenCalledTimes(1)
  expect(second).not.toHaveBeenCalled()
  await runIdle()
  await runIdle()
  startLoadingAhead(always)
  await runIdle()
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
})

test('logs the first failure and stops; the next start loads the rest', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/browser/load-ahead-store')
  const cause = new TypeError('Failed to fetch')
  const failing = loadAhead(vi.fn(async () => Promise.reject(cause)))
  const other = loadAhead(vi.fn(async () => undefined))
  startLoadingAhead(always)
  await runIdle()
  await runIdle()
  expect(vi.mocked(logFailure).mock.calls).toEqual([['load ahead', cause]])
  expect(other).not.toHaveBeenCalled()
  failing.mockResolvedValueOnce(undefined as never)
  startLoadingAhead(always)
  await runIdle()
  await runIdle()
  expect([failing.mock.calls.length, other.mock.calls.length]).toEqual([2, 1])
})

test('loads nothing while loading is not possible', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/browser/load-ahead-store')
  const load = loadAhead(vi.fn(async () => undefined))
  startLoadingAhead(() => false)
  await runIdle()
  expect(load).not.toHaveBeenCalled()
})

test('loads nothing after it was cancelled', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/browser/load-ahead-store')
  const load = loadAhead(vi.fn(async () => undefined))
  startLoadingAhead(always)()
  await runIdle()
  expect(load).not.toHaveBeenCalled()
})
