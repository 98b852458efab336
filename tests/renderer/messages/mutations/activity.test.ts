import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportActivity } from '#/renderer/features/messages/mutations/activity'
import { logFailure } from '#/renderer/lib/core/logger'

const server = vi.hoisted(() => ({ answer: vi.fn(async (): Promise<null> => null) }))

vi.mock('#/renderer/lib/browser/visibility', () => ({
  isVisible: () => true,
  onVisibility: () => () => undefined,
}))
vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({ rpc: (name: string) => name }),
  unwrap: server.answer,
}))

let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  server.answer.mockClear()
})

afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const move = () => window.dispatchEvent(new Event('pointermove'))

test('SET-05 reports activity at most once a minute until it is stopped', async () => {
  stop = reportActivity()
  move()
  expect(server.answer.mock.calls).toEqual([['touch_activity']])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.answer).toHaveBeenCalledTimes(1)
  move()
  expect(server.answer).toHaveBeenCalledTimes(2)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  move()
  expect(server.answer).toHaveBeenCalledTimes(2)
})

test('SET-05 only logs a failed report, and reports again with the next activity', async () => {
  const cause = new Error('offline')
  server.answer.mockRejectedValueOnce(cause)
  stop = reportActivity()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['report activity', cause]])
  move()
  expect(server.answer).toHaveBeenCalledTimes(2)
})
