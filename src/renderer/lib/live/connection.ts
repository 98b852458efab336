import { create } from 'zustand'
import type { Mismatch } from '#/shared/version-fit'
import { retryDelay } from './backoff'

export interface Connection {
  /** `connecting` until the first attempt succeeds or fails; `lost` until live events arrive again. */
  state: 'connecting' | 'online' | 'lost'
  /**
   * Time of the next attempt, in milliseconds since 1970; null during an attempt and while the connection is not lost.
   */
  retryAt: number | null
  /** Why the connection is lost, if the server and this app do not fit; else null. */
  mismatch: Mismatch | null
}

export const connection = create<Connection>(() => ({ state: 'connecting', retryAt: null, mismatch: null }))

export function useConnection(): Connection {
  return connection()
}

export function useMismatch(): Mismatch | null {
  return connection(({ mismatch }) => mismatch)
}

/** For the client: the server has said whether it and this app fit. While they do not, nobody keeps the live connection open. */
export function handleVersions(mismatch: Mismatch | null): void {
  if (mismatch === connection.getState().mismatch) return
  connection.setState({ state: mismatch === null ? 'connecting' : 'lost', retryAt: null, mismatch })
}

/** Calls back when the live connection returns after it was lost. Events in between were missed. */
export function onReconnected(listener: () => void): () => void {
  let wasLost = connection.getState().state === 'lost'
  return connection.subscribe(({ state }) => {
    if (state === 'online' && wasLost) listener()
    if (state !== 'connecting') wasLost = state === 'lost'
  })
}

/** What the manager needs from the socket. */
export interface Socket {
  /** Opens the socket, whatever its state. */
  reopen(): void
  /** Sends a heartbeat. Closes the socket if the previous heartbeat was not answered. */
  sendHeartbeat(): void
}

/** Events that the manager handles. */
export interface ConnectionManager {
  subscribed(): void
  /** The channel failed or closed, with the socket open or closed. */
  unsubscribed(): void
  socketClosed(): void
  heartbeat(status: string): void
  /**
   * The machine may have slept or lost its network, or a response is slow: checks whether the connection still works.
   */
  check(): void
  /** The network is back, or the member returned: retries a lost connection immediately. */
  retryNow(): void
  stop(): void
}

/** Timeout of a heartbeat while the connection is in doubt, in milliseconds. */
const DOUBT_MS = 5_000
/** Timeout of one attempt, in milliseconds. */
const ATTEMPT_MS = 15_000
/** Heartbeats come every 25 s; after a longer pause the machine has slept. In milliseconds. */
const ASLEEP_MS = 60_000

/** Updates `connection`, and decides when to reopen the socket. */
export function createConnectionManager(
  socket: Socket,
  random: () => number = Math.random,
): ConnectionManager {
  let attempts = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let doubt: ReturnType<typeof setTimeout> | undefined
  let isAwaitingReply = false
  let lastBeat = Number.POSITIVE_INFINITY

  const clear = () => {
    clearTimeout(retry)
    clearTimeout(doubt)
    doubt = undefined
    isAwaitingReply = false
  }

  const schedule = () => {
    clear()
    const delay = retryDelay(attempts, random)
    attempts += 1
    connection.setState({ state: 'lost', retryAt: Date.now() + delay })
    retry = setTimeout(attempt, delay)
  }

  const attempt = () => {
    clear()
    connection.setState({ state: 'lost', retryAt: null })
    // A network that drops all packets reports neither success nor failure.
    retry = setTimeout(schedule, ATTEMPT_MS)
    socket.reopen()
  }

  const check = () => {
    if (connection.getState().state !== 'online') return
    // A second check does not extend the timeout of the first.
    if (isAwaitingReply && doubt !== undefined) return
    clearTimeout(doubt)
    if (!isAwaitingReply) socket.sendHeartbeat()
    doubt = setTimeout(() => {
      doubt = undefined
      if (isAwaitingReply) socket.sendHeartbeat()
    }, DOUBT_MS)
  }

  connection.setState({ state: 'connecting', retryAt: null })
  retry = setTimeout(schedule, ATTEMPT_MS)

  return {
    subscribed: () => {
      clear()
      attempts = 0
      connection.setState({ state: 'online', retryAt: null })
    },
    unsubscribed: () => {
      const { state, retryAt } = connection.getState()
      if (retryAt !== null) return
      if (state === 'online') connection.setState({ state: 'lost', retryAt })
      // The library rejoins over an open socket. If it does not, reconnect from the start.
      clearTimeout(retry)
      retry = setTimeout(schedule, ATTEMPT_MS)
    },
    socketClosed: () => {
      if (connection.getState().retryAt === null) schedule()
    },
    heartbeat: (status) => {
      isAwaitingReply = status === 'sent'
      if (status !== 'sent') return
      const pause = Date.now() - lastBeat
      lastBeat = Date.now()
      if (pause > ASLEEP_MS) check()
    },
    check,
    retryNow: () => {
      if (connection.getState().state !== 'lost') return check()
      if (connection.getState().retryAt === null) return
      attempts = 0
      attempt()
    },
    stop: () => {
      clear()
      connection.setState({ state: 'connecting', retryAt: null })
    },
  }
}
