import { logFailure } from '#/renderer/lib/logger'
import { loadRealtime, type RealtimeChannel, supabase } from '#/renderer/lib/supabase'

/** How long to wait before a channel that the server closed is joined anew, in milliseconds. */
const REJOIN_MS = 1_000
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
 * Joins a channel and stays in it until the function it gives is called. The library rejoins after errors; what it
 * does not do is join again when the server closes the channel, as it does when a token has expired, or stop asking
 * when the server refuses.
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
      if (status === 'CLOSED') {
        channel = null
        timer = setTimeout(start, REJOIN_MS)
      } else if (status !== 'SUBSCRIBED' && supabase().realtime.isConnected()) {
        // That a socket closes is no failure of the app; nor is a refusal where one may come, as after a block.
        if (onReason === undefined || !isRefusal(cause)) return logFailure('live channel', cause ?? status)
        isRefused = true
        channel = null
        leave(mine)
      }
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
