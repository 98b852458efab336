import { connection, retryDelay } from './live'
import { isRecord, readItem, storeItem } from './local-storage'
import { isKnownOffline } from './offline'
import { sessionStatus } from './session-status-store'
import type { StoredToggle, ToggleStore } from './toggle-sync'

/** Delay before another attempt without news of the connection, in milliseconds. */
const RETRY_MS = { first: 8_000, longest: 8_000 }

function parse(json: string | null): StoredToggle | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    if (!isRecord(value)) return null
    const { from, to } = value
    return typeof from === 'boolean' && typeof to === 'boolean' ? { from, to } : null
  } catch {
    return null
  }
}

function untilNews(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stopConnection()
      stopSession()
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, retryDelay(0, Math.random, RETRY_MS))
    const stopConnection = connection.subscribe(({ state }) => {
      if (state === 'online') done()
    })
    const stopSession = sessionStatus.subscribe(done)
    addEventListener('online', done)
  })
}

/** Keeps toggles in localStorage, under their own keys. One that it does not take is sent unless the page closes before. */
export const storedToggles: ToggleStore = {
  read: (key) => parse(readItem(key)),
  write: (key, toggle) => storeItem(key, toggle === null ? null : JSON.stringify(toggle), 'store toggle'),
  isReady: () => sessionStatus.getState().status === 'confirmed',
  isLost: isKnownOffline,
  nextAttempt: async () => {
    const { member } = sessionStatus.getState()
    await untilNews()
    const now = sessionStatus.getState()
    return now.member === member && now.status !== 'ended'
  },
}
