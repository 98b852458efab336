import { afterEach, expect, test, vi } from 'vitest'
import { AppError, toAppError } from '#/renderer/lib/core/errors'
import { connection } from '#/renderer/lib/live'
import { submit } from '#/renderer/lib/outbox/active'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import type { OutboxKind } from '#/renderer/lib/outbox/row'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { runOutbox } from './running-outbox'

vi.mock('#/renderer/lib/outbox/store', async () => (await import('./memory-store')).storeModule)
vi.mock('#/renderer/lib/server/supabase', () => ({}))

afterEach(() => {
  connection.setState({ state: 'online' })
  vi.useRealTimers()
})

/** Submits a note while the connection is lost; `answer` is what the server says of each attempt after that. */
async function sendLater(answer: () => Promise<void>): Promise<() => number> {
  const kind: OutboxKind<string> = {
    name: 'note',
    action: 'send note',
    send: vi.fn(answer),
    onRefused: () => undefined,
  }
  runOutbox(createQueryClient(), [kind as OutboxKind])
  connection.setState({ state: 'lost' })
  expect(await submit(kind, { scope: 'notes', payload: 'Fog' })).toBe('waiting')
  vi.useFakeTimers()
  connection.setState({ state: 'online' })
  await vi.advanceTimersByTimeAsync(0)
  return () => vi.mocked(kind.send).mock.calls.length
}

test('SAFE-06 a row beyond a quota stays in the outbox, and is sent again after one to two minutes, then less and less often', async () => {
  let isLimited = true
  const attempts = await sendLater(async () => {
    if (isLimited) throw new AppError('rate-limited', '', 'PT429')
  })
  expect(attempts()).toBe(1)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(attempts()).toBe(1)
  await vi.advanceTimersByTimeAsync(61_000)
  expect(attempts()).toBe(2)
  await vi.advanceTimersByTimeAsync(24 * 3_600_000)
  expect(attempts()).toBeLessThan(60)
  expect(pendingRows.getState()).toMatchObject([{ payload: 'Fog', state: 'waiting' }])
  isLimited = false
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(pendingRows.getState()).toEqual([])
})

test('a row that a busy server could not take is sent again within seconds', async () => {
  const attempts = await sendLater(async () => {
    throw new AppError('server', '', '503', { serverStatus: 503 })
  })
  await vi.advanceTimersByTimeAsync(8_000)
  expect(attempts()).toBeGreaterThan(1)
})

test('MSG-09 a row that the server never takes is sent less and less often, and at once when the connection returns', async () => {
  const attempts = await sendLater(async () => {
    throw toAppError({ message: '' }, 503)
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(attempts()).toBeGreaterThan(3)
  await vi.advanceTimersByTimeAsync(24 * 3_600_000)
  expect(attempts()).toBeLessThan(3_000)
  expect(pendingRows.getState()).toMatchObject([{ payload: 'Fog', state: 'waiting' }])
  const before = attempts()
  connection.setState({ state: 'lost' })
  connection.setState({ state: 'online' })
  await vi.advanceTimersByTimeAsync(4_000)
  expect(attempts()).toBeGreaterThan(before + 1)
})

test('MSG-09 a row that begins to wait is sent again within seconds, although another has waited for long', async () => {
  const attempts = await sendLater(async () => {
    throw toAppError({ message: '' }, 504)
  })
  await vi.advanceTimersByTimeAsync(3_600_000)
  const kind = { name: 'note' } as OutboxKind<string>
  expect(await submit(kind, { scope: 'others', payload: 'Rain' })).toBe('waiting')
  const before = attempts()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(attempts()).toBeGreaterThan(before)
})
