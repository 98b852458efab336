import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/logger'

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))

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
  startLoadingAhead()
  expect(first).not.toHaveBeenCalled()
  await haveTime()
  expect(first).toHaveBeenCalledTimes(1)
  expect(second).not.toHaveBeenCalled()
  await haveTime()
  await haveTime()
  startLoadingAhead()
  await haveTime()
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
})

test('what fails is logged, keeps nothing else from being loaded, and is tried the next time', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/load-ahead')
  const failing = loadAhead(vi.fn(async () => Promise.reject(new TypeError('Failed to fetch'))))
  const other = loadAhead(vi.fn(async () => undefined))
  startLoadingAhead()
  await haveTime()
  await haveTime()
  expect(logFailure).toHaveBeenCalledTimes(1)
  expect(other).toHaveBeenCalledTimes(1)
  startLoadingAhead()
  await haveTime()
  expect(failing).toHaveBeenCalledTimes(2)
})

test('what is called off loads nothing more', async () => {
  const { loadAhead, startLoadingAhead } = await import('#/renderer/lib/load-ahead')
  const load = loadAhead(vi.fn(async () => undefined))
  startLoadingAhead()()
  await haveTime()
  expect(load).not.toHaveBeenCalled()
})
