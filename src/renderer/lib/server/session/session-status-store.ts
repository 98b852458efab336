import { createStore } from 'zustand/vanilla'

/** `restored`: known from this device only, the server has yet to confirm it. `ended`: nobody is signed in. */
export interface SessionStatus {
  status: 'restored' | 'confirmed' | 'ended'
  member: string | null
}

/** The state of the session, for code that knows no feature. `features/auth` sets it. */
export const sessionStatus = createStore<SessionStatus>(() => ({ status: 'confirmed', member: null }))

/** The member to whom this page belongs until it is loaded anew, because they were signed in here; null if nobody was. */
export const pageOwner = createStore<{ owner: string | null }>(() => ({ owner: null }))

export function setSessionStatus(next: SessionStatus): void {
  const { status, member } = sessionStatus.getState()
  if (status !== next.status || member !== next.member) sessionStatus.setState(next)
}

/**
 * Resolves once the server has confirmed the session of the current member; never if the session has ended. The server
 * would treat earlier requests as a visitor's and return empty lists.
 */
export function untilConfirmed(): Promise<void> {
  const { status, member } = sessionStatus.getState()
  if (status !== 'restored') return Promise.resolve()
  return new Promise((resolve) => {
    const stop = sessionStatus.subscribe((next) => {
      stop()
      if (next.status === 'confirmed' && next.member === member) resolve()
    })
  })
}
