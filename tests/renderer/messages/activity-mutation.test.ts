import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportActivity } from '#/renderer/features/messages/mutations/activity'
import { logFailure } from '#/renderer/lib/logger'

const server = vi.hoisted(() => ({ answer: vi.fn(async (): Promise<null> => null) }))

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))
vi.mock('#/renderer/lib/visibility', () => ({ isVisible: () => true, onVisibility: () => () => undefined }))
vi.mock('#/renderer/lib/supabase', () => ({
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

test('SET-05 the server is told of activity once a minute at most, until that ends', async () => {
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

test('SET-05 activity that could not be told is only logged, and told with the next sign of it', async () => {
  const cause = new Error('offline')
  server.answer.mockRejectedValueOnce(cause)
  stop = reportActivity()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['report activity', cause]])
  move()
  expect(server.answer).toHaveBeenCalledTimes(2)
})
