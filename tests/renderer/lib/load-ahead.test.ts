import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/logger'

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))

const always = () => true

/** What waits for the browser to have nothing to do. */
let idle: (() => void)[]

async function haveTime(): Promise<void> {
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

test('what was not shown yet is loaded in quiet moments, one after the other, and once', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/load-ahead')
  const [first, second] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  expect(loadAhead(first)).toBe(first)
  loadAhead(second)
  startLoadingAhead(always)
  expect(first).not.toHaveBeenCalled()
  await haveTime()
  expect(first).toHaveBeenCalledTimes(1)
  expect(second).not.toHaveBeenCalled()
  await haveTime()
  await haveTime()
  startLoadingAhead(always)
  await haveTime()
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
})

test('the first that fails is logged and ends it; all of the rest is tried the next time', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/load-ahead')
  const cause = new TypeError('Failed to fetch')
  const failing = loadAhead(vi.fn(async () => Promise.reject(cause)))
  const other = loadAhead(vi.fn(async () => undefined))
  startLoadingAhead(always)
  await haveTime()
  await haveTime()
  expect(vi.mocked(logFailure).mock.calls).toEqual([['load ahead', cause]])
  expect(other).not.toHaveBeenCalled()
  failing.mockResolvedValueOnce(undefined as never)
  startLoadingAhead(always)
  await haveTime()
  await haveTime()
  expect([failing.mock.calls.length, other.mock.calls.length]).toEqual([2, 1])
})

test('nothing is loaded without a server', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/load-ahead')
  const load = loadAhead(vi.fn(async () => undefined))
  startLoadingAhead(() => false)
  await haveTime()
  expect(load).not.toHaveBeenCalled()
})

test('what is called off loads nothing more', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/load-ahead')
  const load = loadAhead(vi.fn(async () => undefined))
  startLoadingAhead(always)()
  await haveTime()
  expect(load).not.toHaveBeenCalled()
})
