import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection, helpCleaningUp } from '#/renderer/lib/live'

const server = vi.hoisted(() => ({ answer: vi.fn(async (_name: string): Promise<number | null> => null) }))

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({ rpc: (name: string) => name }),
  unwrap: server.answer,
}))

let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  server.answer.mockReset().mockResolvedValue(null)
  vi.spyOn(connection, 'getState').mockReturnValue({ ...connection.getState(), state: 'online' })
  stop = helpCleaningUp()
})

afterEach(() => {
  stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The calls of the next minutes. */
async function callsIn(minutes: number): Promise<number> {
  server.answer.mockClear()
  await vi.advanceTimersByTimeAsync(minutes * 60_000)
  return server.answer.mock.calls.length
}

test('SET-03 cleans up batch after batch, as soon as the server wants, until nothing is left, and asks again later', async () => {
  server.answer.mockResolvedValueOnce(200).mockResolvedValueOnce(20_000)
  await vi.advanceTimersByTimeAsync(45_000)
  expect(server.answer.mock.calls).toEqual([['settle'], ['settle']])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(server.answer.mock.calls).toEqual([['settle'], ['settle'], ['settle']])
  expect(await callsIn(5)).toBe(0)
  expect(await callsIn(10)).toBe(1)
  stop()
  expect(await callsIn(60)).toBe(0)
})

test('SET-03 stops at a bound if the server always has more, while offline, and after a failure', async () => {
  server.answer.mockResolvedValue(200)
  expect(await callsIn(1)).toBe(100)
  vi.mocked(connection.getState).mockReturnValue({ ...connection.getState(), state: 'lost' })
  expect(await callsIn(20)).toBe(0)
  vi.mocked(connection.getState).mockReturnValue({ ...connection.getState(), state: 'online' })
  server.answer.mockRejectedValue(new Error('broken'))
  expect(await callsIn(10)).toBe(1)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['help cleaning up', new Error('broken')]])
  expect(await callsIn(10)).toBe(1)
})

test('SET-03 asks again within ten minutes, whatever a hostile server answers', async () => {
  server.answer.mockResolvedValue(1e15)
  expect(await callsIn(1)).toBe(1)
  expect(await callsIn(10)).toBe(1)
  server.answer.mockResolvedValue('soon' as never)
  expect(await callsIn(10)).toBe(1)
  expect(await callsIn(10)).toBe(1)
})
