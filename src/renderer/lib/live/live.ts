import { create } from 'zustand'
import { isVisible, onVisibility } from '#/renderer/lib/browser/visibility'
import { logFailure } from '#/renderer/lib/core/logger'
import { askVersions, loadRealtime, supabase } from '#/renderer/lib/server/supabase'
import { SESSION_ENDED } from '#/shared/realtime'
import { retryDelay } from './backoff'
import { CHANGE_EVENT, type ChangeReader, createChangeReader } from './changes'
import { type ConnectionManager, connection, createConnectionManager } from './connection'
import { type ChangeSource, emitCaughtUp } from './row-changes-store'
import { keepSubscribed, whenAllLeft } from './subscription'

/** Delay before another attempt to load the realtime code, in milliseconds. */
const RELOAD_MS = 5_000

interface LiveState {
  /** While the realtime code has not been loaded, only `retryNow` works. */
  active: (Pick<ConnectionManager, 'retryNow'> & Partial<ConnectionManager>) | null
  /** Reads what is broadcast to the member. */
  changes: ChangeReader | null
  /** Resolves when the previous member's socket has closed. */
  closed: Promise<unknown>
}

const useLiveState = create<LiveState>(() => ({ active: null, changes: null, closed: Promise.resolve() }))

const active = () => useLiveState.getState().active

/** Retries the connection immediately. */
export function retryNow(): void {
  active()?.retryNow()
}

/** Delays between attempts to reach the server at the start, in milliseconds. */
const UNREACHABLE_MS = { first: 1_000, longest: 5_000 }

/** How often the server is asked whether it and this app fit, while they do not, in milliseconds. */
export const ASK_AGAIN_MS = 60_000

/** The server and this app do not fit: asks every minute whether they do, until the returned function is called. */
export function waitForFit(): () => void {
  return waitForServer(askVersions, () => ASK_AGAIN_MS)
}

/**
 * The server could not be reached at the start, so there is no connection yet: it counts as lost, and `retry` runs at growing
 * intervals, until the returned function is called.
 */
export function waitForServer(
  retry: () => Promise<unknown>,
  delayOf = (attempt: number) => retryDelay(attempt, Math.random, UNREACHABLE_MS),
): () => void {
  let isOver = false
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    if (isOver) return
    const delay = delayOf(attempts)
    attempts += 1
    connection.setState({ state: 'lost', retryAt: Date.now() + delay })
    timer = setTimeout(attempt, delay)
  }
  const attempt = () => {
    if (isOver || connection.getState().retryAt === null) return
    clearTimeout(timer)
    connection.setState({ state: 'lost', retryAt: null })
    void retry().then(schedule, schedule)
  }
  schedule()
  useLiveState.setState({ active: { retryNow: attempt } })
  window.addEventListener('online', attempt)
  return () => {
    isOver = true
    clearTimeout(timer)
    window.removeEventListener('online', attempt)
    useLiveState.setState({ active: null })
    connection.setState({ state: 'connecting', retryAt: null })
  }
}

/** For the client: a response is so slow that the connection may be lost. */
export function checkConnection(): void {
  active()?.check?.()
}

/** For the client: the socket closed unexpectedly or failed to open. */
export function handleSocketClosed(): void {
  active()?.socketClosed?.()
}

/** Handles a broadcast of the database in another channel like those to the member: each row is read once, in order. */
export function handleChange(payload: unknown): void {
  useLiveState.getState().changes?.handle(payload)
}

function openSocket(): void {
  const { realtime } = supabase()
  if (realtime.isConnected()) {
    // The socket is open but does not work: after two heartbeats without a reply between them the library closes it and
    // its channels.
    void realtime.sendHeartbeat()
    void realtime.sendHeartbeat()
    return
  }
  // `connect` does nothing until the previous socket has been cleaned up.
  realtime
    .disconnect()
    .then(() => realtime.connect())
    .catch((cause: unknown) => logFailure('connect', cause))
}

/** A server that already delivers database broadcasts reports so within this time after the join, in milliseconds. */
const READY_MS = 1_000

/** A Realtime system message about a channel. */
interface SystemMessage {
  status: string
  message: string
}

interface MemberChannelParts {
  changes: ChangeReader
  joinedAt: () => number
  /** Called with false when changes stop arriving on a joined channel, and with true when they resume. */
  onChanges: (areFlowing: boolean) => void
  /** Called when the server closes the channel: the session may have ended. */
  onClosed: () => void
}

/** The member's private channel, on which the database broadcasts changes of their messages and notifications. */
function memberChannel(topic: string, { changes, joinedAt, onChanges, onClosed }: MemberChannelParts) {
  // A hosted server starts to listen to its database only when the first client connects, so a channel can be joined
  // before that.
  const channel = supabase().channel(topic, {
    config: { private: true, broadcast: { replication_ready: true } },
  })
  return channel
    .on<Record<string, unknown>>('broadcast', { event: CHANGE_EVENT }, ({ payload }) =>
      changes.handle(payload),
    )
    .on('system', {}, ({ status, message }: SystemMessage) => {
      if (status === 'ok') {
        if (Date.now() - joinedAt() > READY_MS) onChanges(true)
        return
      }
      // A sign-out on another device is not a failure.
      if (message !== SESSION_ENDED) logFailure('live changes', message)
      onChanges(false)
      onClosed()
    })
}

/**
 * Opens the app's only realtime connection for this member. Returns a close function.
 *
 * @param sources the tables whose changes are read
 * @param onClosed called when the server closes or refuses the member's channel: the session may have ended
 */
export function startLive(me: string, sources: readonly ChangeSource[], onClosed: () => void): () => void {
  let isActive = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = (): void => undefined

  const load = () => {
    clearTimeout(timer)
    loadRealtime().then(
      () => {
        if (isActive) stop = openConnection(me, sources, onClosed)
      },
      (cause: unknown) => {
        logFailure('load realtime', cause)
        if (!isActive) return
        connection.setState({ state: 'lost', retryAt: Date.now() + RELOAD_MS })
        useLiveState.setState({ active: { retryNow: load } })
        timer = setTimeout(load, RELOAD_MS)
      },
    )
  }
  load()

  return () => {
    isActive = false
    clearTimeout(timer)
    stop()
  }
}

function openConnection(me: string, sources: readonly ChangeSource[], onClosed: () => void): () => void {
  const manager = createConnectionManager({
    reopen: openSocket,
    sendHeartbeat: () => void supabase().realtime.sendHeartbeat(),
  })
  useLiveState.setState({ active: manager })
  supabase().realtime.onHeartbeat(manager.heartbeat)

  const handleVisibility = () => {
    // The library also reconnects, except after a clean close.
    if (isVisible() && !supabase().realtime.isConnecting()) manager.retryNow()
  }
  window.addEventListener('online', manager.retryNow)
  window.addEventListener('offline', manager.check)
  const unsubscribeVisibility = onVisibility(handleVisibility)

  const changes = createChangeReader(sources)
  useLiveState.setState({ changes })
  let leave = (): void => undefined
  let isActive = true
  const handleChanges = (areFlowing: boolean) => {
    if (!isActive) return
    if (!areFlowing) return manager.unsubscribed()
    manager.subscribed()
    emitCaughtUp()
  }
  let joinedAt = Number.POSITIVE_INFINITY
  const handleStatus = (isSubscribed: boolean) => {
    joinedAt = isSubscribed ? Date.now() : Number.POSITIVE_INFINITY
    // A reachable server may refuse the channel because the session has ended.
    if (isActive && !isSubscribed && supabase().realtime.isConnected()) onClosed()
    handleChanges(isSubscribed)
  }
  const subscribe = () => {
    if (!isActive) return
    const prepare = (topic: string) =>
      memberChannel(topic, { changes, joinedAt: () => joinedAt, onChanges: handleChanges, onClosed })
    leave = keepSubscribed(`member:${me}`, prepare, handleStatus)
  }
  // Wait until the previous member's socket has closed.
  void useLiveState.getState().closed.then(subscribe)

  return () => {
    isActive = false
    leave()
    changes.stop()
    if (useLiveState.getState().changes === changes) useLiveState.setState({ changes: null })
    manager.stop()
    if (active() === manager) useLiveState.setState({ active: null })
    window.removeEventListener('online', manager.retryNow)
    window.removeEventListener('offline', manager.check)
    unsubscribeVisibility()
    useLiveState.setState({ closed: whenAllLeft().then(() => supabase().realtime.disconnect()) })
  }
}
