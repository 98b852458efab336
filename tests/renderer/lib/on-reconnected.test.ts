import { afterEach, expect, test, vi } from 'vitest'
import { type Connection, connection } from '#/renderer/lib/live/connection'
import { onReconnected } from '#/renderer/lib/on-reconnected'

vi.mock('#/renderer/lib/live', () => import('#/renderer/lib/live/connection'))

function enter(...states: Connection['state'][]): void {
  for (const state of states) connection.setState({ state, retryAt: null })
}

afterEach(() => enter('connecting'))

test('FEED-12 a lost connection that is back is reported once, the first connection is not', () => {
  const listener = vi.fn()
  const ignore = onReconnected(listener)
  enter('connecting', 'online')
  expect(listener).not.toHaveBeenCalled()
  enter('lost', 'lost', 'online', 'online')
  expect(listener).toHaveBeenCalledTimes(1)
  ignore()
  enter('lost', 'online')
  expect(listener).toHaveBeenCalledTimes(1)
})

test('FEED-12 a screen that opens while the connection is lost hears that it is back', () => {
  enter('lost')
  const listener = vi.fn()
  const ignore = onReconnected(listener)
  enter('connecting', 'online')
  expect(listener).toHaveBeenCalledTimes(1)
  ignore()
})
