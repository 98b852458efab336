import { AppError } from '#/renderer/lib/errors'
import type { Outbox } from './outbox'

/** A member's outbox. */
export interface Opened {
  owner: string
  outbox: Outbox
}

interface Waiting {
  resolve(opened: Opened): void
  reject(cause: unknown): void
}

/** Who waits for an outbox to be opened: it opens only once the page has had a quiet moment. */
let waiting: Waiting[] = []
/** Why it could not be opened, until that is tried again. */
let failure: { cause: unknown } | null = null

function settle(act: (waiter: Waiting) => void): void {
  const waiters = waiting
  waiting = []
  waiters.forEach(act)
}

/** The outbox, as soon as it is open; rejects when it cannot be opened, or is no longer wanted. */
export function awaitOutbox(): Promise<Opened> {
  if (failure !== null) return Promise.reject(failure.cause)
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
}

export function beginOpening(): void {
  failure = null
}

export function endOpening(opened: Opened): void {
  settle(({ resolve }) => resolve(opened))
}

/** Its code could not be loaded: nobody waits for it, until it is tried again. */
export function failOpening(cause: unknown): void {
  failure = { cause }
  settle(({ reject }) => reject(cause))
}

/** Who wanted it has signed out. */
export function cancelOpening(): void {
  failure = null
  settle(({ reject }) => reject(new AppError('session-expired', '', 'send message')))
}
