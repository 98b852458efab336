import { createStore } from 'zustand/vanilla'
import { AppError } from '#/renderer/lib/core/errors'
import type { Outbox } from './outbox'

/** A member's outbox. */
export interface Opened {
  owner: string
  outbox: Outbox
}

interface Waiter {
  resolve(opened: Opened): void
  reject(cause: unknown): void
}

interface OutboxState {
  /** The outbox of the signed-in member. */
  opened: Opened | null
  /** Callers that wait for the outbox, which opens only after the page has been idle. */
  waiters: readonly Waiter[]
  /** Why the outbox could not be opened, until it is opened again. */
  failure: { cause: unknown } | null
}

const store = createStore<OutboxState>(() => ({ opened: null, waiters: [], failure: null }))

function settle(act: (waiter: Waiter) => void): void {
  const { waiters } = store.getState()
  store.setState({ waiters: [] })
  waiters.forEach(act)
}

export function openedOutbox(): Opened | null {
  return store.getState().opened
}

export function closeOutbox(closed: Opened): void {
  if (store.getState().opened === closed) store.setState({ opened: null })
}

/** Resolves with the outbox once it is open; rejects if it cannot be opened or opening was cancelled. */
export function awaitOutbox(): Promise<Opened> {
  const { failure, waiters } = store.getState()
  if (failure !== null) return Promise.reject(failure.cause)
  return new Promise((resolve, reject) => store.setState({ waiters: [...waiters, { resolve, reject }] }))
}

export function beginOpening(): void {
  store.setState({ failure: null })
}

export function endOpening(opened: Opened): void {
  store.setState({ opened })
  settle(({ resolve }) => resolve(opened))
}

/** Call if the outbox's code could not be loaded: callers get the cause until the outbox is opened again. */
export function failOpening(cause: unknown): void {
  store.setState({ failure: { cause } })
  settle(({ reject }) => reject(cause))
}

/** Call if the member has signed out before the outbox was opened. */
export function cancelOpening(): void {
  store.setState({ failure: null })
  settle(({ reject }) => reject(new AppError('session-expired', '', 'send message')))
}
