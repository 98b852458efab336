import { connection, retryDelay } from '#/renderer/lib/live'
import { isRecord, readItem, storeItem } from '#/renderer/lib/local/local-storage'
import { sessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { isKnownOffline } from './offline'
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

function untilNews(attempt: number, delays: typeof RETRY_MS): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stopConnection()
      stopSession()
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, retryDelay(attempt, Math.random, delays))
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
  nextAttempt: (attempt) => nextAttempt(attempt, RETRY_MS),
}

async function nextAttempt(attempt: number, delays: typeof RETRY_MS): Promise<boolean> {
  const { member } = sessionStatus.getState()
  await untilNews(attempt, delays)
  const now = sessionStatus.getState()
  return now.member === member && now.status !== 'ended'
}

/** Delay before a toggle that the server refuses is sent again, in milliseconds. */
const REFUSED_MS = { first: 8_000, longest: 60_000 }

/** Also keeps toggles that the server refuses: they are never rolled back, and are sent until they are stored. */
export const storedUntilSaved: ToggleStore = {
  ...storedToggles,
  isLost: () => true,
  nextAttempt: (attempt) => nextAttempt(attempt, REFUSED_MS),
}
