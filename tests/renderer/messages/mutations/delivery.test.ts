import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setActiveConversation } from '#/renderer/features/messages/active-conversation-store'
import { reportDelivery } from '#/renderer/features/messages/mutations/delivery'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection, emitRowChange } from '#/renderer/lib/live'
import { emitCaughtUp } from '#/renderer/lib/live/row-changes-store'
import type { Tables } from '#/shared/database.types'
import { ME, message } from '../messages'

const server = vi.hoisted(() => ({ answer: vi.fn(async (): Promise<null> => null) }))

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({ rpc: (name: string) => name }),
  unwrap: server.answer,
}))

let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  server.answer.mockClear()
  stop = reportDelivery(ME)
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

/** The reports after these events. */
async function reportsAfter(act: () => void): Promise<number> {
  server.answer.mockClear()
  act()
  await vi.runAllTimersAsync()
  return server.answer.mock.calls.length
}

function receive(values: Partial<Tables<'messages'>> = {}): void {
  emitRowChange('messages', { kind: 'insert', row: message('a', 0, { read: false, ...values }) })
}

function move(row: Partial<Tables<'conversation_views'>>): void {
  const values = { undelivered: false, folder: 'inbox', ...row } as Tables<'conversation_views'>
  emitRowChange('conversation_views', { kind: 'update', row: values })
}

test('MSG-14 reports the delivery of a burst of messages once, and of messages from before a reconnect', async () => {
  const burst = () => {
    for (let count = 0; count < 20; count += 1) receive()
  }
  expect(await reportsAfter(burst)).toBe(1)
  expect(server.answer.mock.calls).toEqual([['mark_delivered']])
  expect(await reportsAfter(emitCaughtUp)).toBe(1)
  stop()
  expect(await reportsAfter(burst)).toBe(0)
})

test('SET-05 MSG-14 reports what has arrived when Activity Status is turned on, with the live connection there', async () => {
  const restart = () => {
    stop()
    stop = reportDelivery(ME)
  }
  expect(await reportsAfter(restart)).toBe(0)
  connection.setState({ state: 'online' })
  expect(await reportsAfter(restart)).toBe(1)
  connection.setState({ state: 'connecting' })
})

test('MSG-14 reports a request that another device has accepted', async () => {
  expect(await reportsAfter(() => move({ undelivered: true }))).toBe(1)
  expect(await reportsAfter(() => move({ undelivered: true, folder: 'requests' }))).toBe(0)
  expect(await reportsAfter(() => move({}))).toBe(0)
})

test('MSG-14 does not report own messages, or messages that are about to be marked as read', async () => {
  expect(await reportsAfter(() => receive({ sender_id: ME }))).toBe(0)
  expect(await reportsAfter(() => receive({ read: true }))).toBe(0)
  const leave = setActiveConversation('conversation')
  expect(await reportsAfter(receive)).toBe(0)
  leave()
  expect(await reportsAfter(receive)).toBe(1)
})

test('MSG-14 only logs a failed report; the next one covers its messages', async () => {
  const cause = new Error('offline')
  server.answer.mockRejectedValueOnce(cause)
  expect(await reportsAfter(receive)).toBe(1)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['report delivery', cause]])
  expect(await reportsAfter(receive)).toBe(1)
})

test('AUTH-12 MSG-14 after a sign-out it reports nothing, and logs no refusal', async () => {
  vi.mocked(logFailure).mockClear()
  const signOut = () => {
    receive()
    stop()
  }
  expect(await reportsAfter(signOut)).toBe(0)

  stop = reportDelivery(ME)
  let refuse = (_cause: Error): void => undefined
  const answer = new Promise<null>((_resolve, reject) => {
    refuse = reject
  })
  server.answer.mockReturnValueOnce(answer)
  expect(await reportsAfter(receive)).toBe(1)
  stop()
  refuse(new Error('signed out'))
  await vi.runAllTimersAsync()
  expect(logFailure).not.toHaveBeenCalled()
})
