import { create } from 'zustand'
import { retryDelay } from './backoff'

export interface Connection {
  /** `connecting` until it was first there or first failed; `lost` until what is told live comes in again. */
  state: 'connecting' | 'online' | 'lost'
  /** When it is tried again, in milliseconds since 1970; null while it is not lost, or being tried. */
  retryAt: number | null
}

/** The connection of the whole app. */
export const connection = create<Connection>(() => ({ state: 'connecting', retryAt: null }))

export function useConnection(): Connection {
  return connection()
}

/** What the keeper does with the socket. */
export interface Socket {
  /** Opens it, whatever state it is in. */
  reopen(): void
  /** Sends a heartbeat now; the second one without an answer to the first ends the connection. */
  beat(): void
}

/** What the keeper hears of the socket, the channel and the machine. */
export interface ConnectionKeeper {
  subscribed(): void
  /** The channel failed, or was closed, whether the socket is open or not. */
  unsubscribed(): void
  socketClosed(): void
  heartbeat(status: string): void
  /** The machine may have been away or off the network, or an answer is long in coming: is the connection still there? */
  check(): void
  /** The network is back, or somebody looks: what is lost is tried at once. */
  hurry(): void
  stop(): void
}

/** How long the answer to a heartbeat may take when there is reason to doubt, in milliseconds. */
const DOUBT_MS = 5_000
/** How long one attempt may take before the next is due, in milliseconds. */
const ATTEMPT_MS = 15_000
/** Heartbeats come every 25 s; a longer pause says that the machine slept. */
const ASLEEP_MS = 60_000

/** Keeps `connection` right, and decides when the socket is opened again. */
export function keepConnection(socket: Socket, random: () => number = Math.random): ConnectionKeeper {
  let attempts = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let doubt: ReturnType<typeof setTimeout> | undefined
  let isAwaiting = false
  let lastBeat = Number.POSITIVE_INFINITY

  const clear = () => {
    clearTimeout(retry)
    clearTimeout(doubt)
    doubt = undefined
    isAwaiting = false
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
    // A network that swallows everything says neither yes nor no.
    retry = setTimeout(schedule, ATTEMPT_MS)
    socket.reopen()
  }

  const check = () => {
    if (connection.getState().state !== 'online') return
    // A new doubt does not give the old one more time.
    if (isAwaiting && doubt !== undefined) return
    clearTimeout(doubt)
    if (!isAwaiting) socket.beat()
    doubt = setTimeout(() => {
      doubt = undefined
      if (isAwaiting) socket.beat()
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
      // Rejoining an open socket is the library's part; should it not come to that, everything begins anew.
      clearTimeout(retry)
      retry = setTimeout(schedule, ATTEMPT_MS)
    },
    socketClosed: () => {
      if (connection.getState().retryAt === null) schedule()
    },
    heartbeat: (status) => {
      isAwaiting = status === 'sent'
      if (status !== 'sent') return
      const pause = Date.now() - lastBeat
      lastBeat = Date.now()
      if (pause > ASLEEP_MS) check()
    },
    check,
    hurry: () => {
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
