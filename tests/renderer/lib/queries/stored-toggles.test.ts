import { beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { allFinished } from '#/renderer/lib/core/pending-work-store'
import { connection } from '#/renderer/lib/live'
import { storedToggles } from '#/renderer/lib/queries/stored-toggles'
import { createToggleSync } from '#/renderer/lib/queries/toggle-sync'
import { setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { stubLocalStorage } from '#tests/renderer/local-storage'

vi.stubGlobal('removeEventListener', () => undefined)

let storage: ReturnType<typeof stubLocalStorage>

beforeEach(() => {
  vi.useRealTimers()
  vi.mocked(logFailure).mockClear()
  storage = stubLocalStorage()
  connection.setState({ state: 'online', retryAt: null })
  setSessionStatus({ status: 'confirmed', member: 'me' })
})

test('FEED-18 toggles are kept in localStorage; what another version has written there is ignored', () => {
  storedToggles.write('like', { from: false, to: true })
  expect(storedToggles.read('like')).toEqual({ from: false, to: true })
  storedToggles.write('like', null)
  expect(storedToggles.read('like')).toBeNull()
  for (const text of ['{', '7', '{"from":1,"to":true}']) {
    storage.disk.set('like', text)
    expect(storedToggles.read('like')).toBeNull()
  }
})

test('a full disk is logged', () => {
  const cause = new Error('full')
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw cause
  })
  storedToggles.write('like', { from: false, to: true })
  expect(vi.mocked(logFailure).mock.calls).toEqual([['store toggle', cause]])
})

test('FEED-18 a toggle waits only if the connection is known to be lost, or the session is not confirmed', () => {
  const offline = new AppError('offline', '', '')
  expect(storedToggles.isLost(offline)).toBe(false)
  connection.setState({ state: 'lost', retryAt: null })
  expect(storedToggles.isLost(offline)).toBe(true)
  expect(storedToggles.isLost(new AppError('server', '', '500'))).toBe(false)
  connection.setState({ state: 'online', retryAt: null })
  setSessionStatus({ status: 'restored', member: 'me' })
  expect(storedToggles.isLost(offline)).toBe(true)
})

test.each([
  ['the connection is back', () => connection.setState({ state: 'online', retryAt: null }), true],
  ['the session is confirmed', () => setSessionStatus({ status: 'confirmed', member: 'me' }), true],
  ['eight seconds have passed', () => vi.advanceTimersByTime(8_000), true],
  ['the member signs out', () => setSessionStatus({ status: 'ended', member: null }), false],
  ['another member signs in', () => setSessionStatus({ status: 'confirmed', member: 'other' }), false],
])('the next attempt comes when %s', async (_what, happen, isSent) => {
  vi.useFakeTimers()
  connection.setState({ state: 'lost', retryAt: null })
  setSessionStatus({ status: 'restored', member: 'me' })
  const attempt = storedToggles.nextAttempt(0)
  happen()
  expect(await attempt).toBe(isSent)
})

test('FEED-18 a toggle that waits for the connection does not keep the app from quitting', async () => {
  connection.setState({ state: 'lost', retryAt: null })
  const send = vi.fn(() => Promise.reject(new AppError('offline', '', '')))
  const onFailed = vi.fn()
  const waiting = createToggleSync(storedToggles).set('like', false, true, { send, onFailed })
  await allFinished()
  expect(send).toHaveBeenCalledOnce()
  expect(onFailed).not.toHaveBeenCalled()
  expect(storedToggles.read('like')).toEqual({ from: false, to: true })
  // Otherwise its timer would end the wait in a later file of this worker, where the page's functions are no longer stubbed.
  setSessionStatus({ status: 'ended', member: null })
  await waiting
})
