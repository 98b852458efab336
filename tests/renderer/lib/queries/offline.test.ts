import { MutationObserver } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { closeToast, useToast } from '#/renderer/lib/core/toasts'
import { connection } from '#/renderer/lib/live'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { texts } from '#/renderer/lib/texts'

beforeEach(() => {
  closeToast()
  connection.setState({ state: 'lost', retryAt: null })
  setSessionStatus({ status: 'confirmed', member: 'me' })
})

async function fail(code: 'offline' | 'server', isAutomatic = false): Promise<string | undefined> {
  const mutation = new MutationObserver(createQueryClient(), {
    mutationFn: () => Promise.reject(new AppError(code, '', '')),
    meta: { action: 'block', ...(isAutomatic && { isAutomatic: true }) },
  })
  await mutation.mutate().catch(() => undefined)
  return useToast.getState().toast?.text
}

test('FEED-18 an action that fails without a connection says that it needs one', async () => {
  expect(await fail('offline')).toBe(texts.connection.needed)
})

test('FEED-18 an action says so too while the session is known from this device only', async () => {
  connection.setState({ state: 'connecting', retryAt: null })
  setSessionStatus({ status: 'restored', member: 'me' })
  expect(await fail('offline')).toBe(texts.connection.needed)
})

test.each([
  ['another failure', () => fail('server')],
  ['what no member asked for', () => fail('offline', true)],
  [
    'a single request without an answer',
    () => {
      connection.setState({ state: 'online', retryAt: null })
      return fail('offline')
    },
  ],
])('nothing is said about the connection after %s', async (_what, act) => {
  expect(await act()).toBeUndefined()
})
