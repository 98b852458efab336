import { logFailure } from '#/renderer/lib/logger'
import { loadRealtime, type RealtimeChannel, supabase } from '#/renderer/lib/supabase'
import { retryDelay } from './backoff'

/** Waits before a channel that the server closed or did not let in is joined again, in milliseconds; shorter than an attempt of `connection`. */
const REJOIN = { first: 2_000, longest: 10_000 } as const
/** How long after a join could not even be asked for, as when the client's code could not be loaded. */
const RETRY_MS = 15_000

/** Channels on their way out: the client would give the leaving one to whoever asks for its topic. */
const leaving = new Map<string, Promise<unknown>>()

/** How long a goodbye may take before the socket is closed without its answer, in milliseconds. */
const GOODBYE_MS = 1_000

/** Resolves when all that is being left is left, or the server does not answer. */
export async function allLeft(): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, GOODBYE_MS))
  await Promise.race([Promise.all(leaving.values()), patience])
}

function leave(channel: RealtimeChannel): void {
  const { topic } = channel
  const left = supabase()
    .removeChannel(channel)
    .finally(() => leaving.delete(topic))
  leaving.set(topic, left)
}

/** Whether the server says that this member may not join, which it will say again until something has changed. */
const isRefusal = (cause: Error | undefined) => cause?.message.startsWith('Unauthorized') === true

/**
 * Joins a channel and stays in it until the returned function is called. After a lost socket the library rejoins.
 * While the socket is open, a channel that failed or that the server closed, as it does when a token has expired, is
 * joined again after a growing, random delay: all clients fail in the same moment.
 *
 * @param prepare makes the channel and binds its listeners
 * @param onReason calls what it is given whenever a refused channel may be open again; gives its unsubscribe. Without
 * it a refusal is an error like others
 */
export function keepSubscribed(
  topic: string,
  prepare: (topic: string) => RealtimeChannel,
  onStatus: (isSubscribed: boolean, channel: RealtimeChannel) => void,
  onReason?: (tryAgain: () => void) => () => void,
): () => void {
  let channel: RealtimeChannel | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = true
  let isRefused = false
  let attempts = 0

  const join = async () => {
    await Promise.all([leaving.get(`realtime:${topic}`), loadRealtime()])
    // The client asks for a token when it connects, but joins with the one it has.
    await supabase().realtime.setAuth()
    if (!isWanted || channel !== null) return
    const mine = prepare(topic)
    channel = mine
    mine.subscribe((status, cause) => {
      if (channel !== mine) return
      onStatus(status === 'SUBSCRIBED', mine)
      if (status === 'SUBSCRIBED') {
        attempts = 0
        return
      }
      // A closed socket is no failure of the app.
      if (status !== 'CLOSED' && !supabase().realtime.isConnected()) return
      channel = null
      if (status !== 'CLOSED') {
        leave(mine)
        // Nor is a refusal where one may come, as after a block.
        if (onReason !== undefined && isRefusal(cause)) {
          isRefused = true
          return
        }
        logFailure('live channel', cause ?? status)
      }
      timer = setTimeout(start, retryDelay(attempts, Math.random, REJOIN))
      attempts += 1
    })
  }
  const start = () => {
    join().catch((cause: unknown) => {
      logFailure('join live channel', cause)
      if (isWanted) timer = setTimeout(start, RETRY_MS)
    })
  }

  start()
  const ignoreReasons = onReason?.(() => {
    if (!isRefused) return
    isRefused = false
    start()
  })
  return () => {
    isWanted = false
    clearTimeout(timer)
    ignoreReasons?.()
    const left = channel
    channel = null
    if (left !== null) leave(left)
  }
}
