import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/core/logger'
import { wait } from '#/renderer/lib/core/schedule'
import { loadRealtime, type RealtimeChannel, supabase } from '#/renderer/lib/server/supabase'
import { retryDelay } from './backoff'

/**
 * Delays before rejoining a channel that the server closed or refused, in milliseconds; shorter than an attempt of
 * `connection`.
 */
const REJOIN_DELAYS = { first: 2_000, longest: 10_000 } as const
/**
 * Delay before another attempt if the join could not even start, e.g. because the realtime code failed to load. In
 * milliseconds.
 */
const RETRY_MS = 15_000

/** Channels being left, by topic. Until then the client would return the old channel for the same topic. */
const useLeaving = create<Readonly<Record<string, Promise<unknown>>>>(() => ({}))

/** How long to wait for the server to confirm leaves before the socket closes, in milliseconds. */
const LEAVE_TIMEOUT_MS = 1_000

/** Resolves when all pending leaves are confirmed, or after a timeout. */
export async function whenAllLeft(): Promise<void> {
  await Promise.race([Promise.all(Object.values(useLeaving.getState())), wait(LEAVE_TIMEOUT_MS)])
}

function leave(channel: RealtimeChannel): void {
  const { topic } = channel
  const left = supabase()
    .removeChannel(channel)
    .finally(() => useLeaving.setState(({ [topic]: _, ...rest }) => rest, true))
  useLeaving.setState({ [topic]: left })
}

/** Whether the server refused the join because this member has no access. It stays refused until something changes. */
const isRefusal = (cause: Error | undefined) => cause?.message.startsWith('Unauthorized') === true

/**
 * Joins a channel and stays in it until the returned function is called. After a lost socket the library rejoins. While
 * the socket is open, a channel that failed or that the server closed (e.g. because a token expired) is rejoined after
 * a growing, random delay, because all clients fail in the same moment.
 *
 * @param topic a function is asked before each join, except those of the library after a lost socket
 * @param prepare creates the channel and adds its listeners
 * @param onReason calls its callback when a refused channel may be open again; returns its unsubscribe function.
 * Without it, a refusal is handled like any other error
 */
export function keepSubscribed(
  topic: string | (() => Promise<string>),
  prepare: (topic: string) => RealtimeChannel,
  onStatus: (isSubscribed: boolean, channel: RealtimeChannel) => void,
  onReason?: (tryAgain: () => void) => () => void,
): () => void {
  let channel: RealtimeChannel | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isActive = true
  let isRefused = false
  let attempts = 0

  const join = async () => {
    const name = typeof topic === 'string' ? topic : await topic()
    await Promise.all([useLeaving.getState()[`realtime:${name}`], loadRealtime()])
    // The client requests a fresh token when it connects, but joins with its current one.
    await supabase().realtime.setAuth()
    if (!isActive || channel !== null) return
    const mine = prepare(name)
    channel = mine
    mine.subscribe((status, cause) => {
      if (channel !== mine) return
      onStatus(status === 'SUBSCRIBED', mine)
      if (status === 'SUBSCRIBED') {
        attempts = 0
        return
      }
      // A closed socket is not a failure of this channel.
      if (status !== 'CLOSED' && !supabase().realtime.isConnected()) return
      channel = null
      if (status !== 'CLOSED') {
        leave(mine)
        // A refusal is expected here, e.g. after a block.
        if (onReason !== undefined && isRefusal(cause)) {
          isRefused = true
          return
        }
        logFailure('live channel', cause ?? status)
      }
      timer = setTimeout(start, retryDelay(attempts, Math.random, REJOIN_DELAYS))
      attempts += 1
    })
  }
  const start = () => {
    join().catch((cause: unknown) => {
      logFailure('join live channel', cause)
      if (isActive) timer = setTimeout(start, RETRY_MS)
    })
  }

  start()
  const unsubscribe = onReason?.(() => {
    if (!isRefused) return
    isRefused = false
    start()
  })
  return () => {
    isActive = false
    clearTimeout(timer)
    unsubscribe?.()
    const left = channel
    channel = null
    if (left !== null) leave(left)
  }
}
