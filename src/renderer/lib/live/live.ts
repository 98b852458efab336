import { logFailure } from '#/renderer/lib/logger'
import { loadRealtime, onSlowAnswer, onSocketClosed, supabase } from '#/renderer/lib/supabase'
import { isVisible, onVisibility } from '#/renderer/lib/visibility'
import { SESSION_ENDED } from '#/shared/realtime'
import { CHANGE_EVENT, type ChangeNotice, type ChangeReader, createChangeReader } from './changes'
import { type ConnectionKeeper, connection, keepConnection } from './connection'
import { emitCaughtUp } from './events'
import { allLeft, keepSubscribed } from './subscription'

/** After how long the code for the connection is loaded anew when it could not be, in milliseconds. */
const RELOAD_MS = 5_000

let keeper: Pick<ConnectionKeeper, 'hurry'> | null = null
let closed: Promise<unknown> = Promise.resolve()

/** Tries at once what would be tried later. */
export function retryNow(): void {
  keeper?.hurry()
}

function openSocket(): void {
  const { realtime } = supabase()
  if (realtime.isConnected()) {
    // It is open and yet of no use: two heartbeats without an answer between them end it, and its channels with it.
    void realtime.sendHeartbeat()
    void realtime.sendHeartbeat()
    return
  }
  // `connect` does nothing while the remains of the last socket are there.
  realtime
    .disconnect()
    .then(() => realtime.connect())
    .catch((cause: unknown) => logFailure('connect', cause))
}

/** A server that delivers broadcasts from the database at once reports so within this time of the join, in milliseconds. */
const READY_MS = 1_000

/** A message of the server about a channel. */
interface SystemMessage {
  status: string
  message: string
}

interface MemberChannelParts {
  changes: ChangeReader
  /** When the channel was last joined, in milliseconds since 1970. */
  joinedAt: () => number
  /** Called with false when changes stop although the channel is joined, with true when they flow again. */
  onChanges: (areFlowing: boolean) => void
  /** Called when the server closes the channel: the session may have ended. */
  onClosed: () => void
}

/** The member's private channel, in which the database broadcasts the changes of their messages and notifications. */
function memberChannel(topic: string, { changes, joinedAt, onChanges, onClosed }: MemberChannelParts) {
  // While nobody is connected, a hosted server does not listen to its database. The first channel is joined before it does.
  const channel = supabase().channel(topic, {
    config: { private: true, broadcast: { replication_ready: true } },
  })
  return channel
    .on<ChangeNotice>('broadcast', { event: CHANGE_EVENT }, ({ payload }) => changes.handle(payload))
    .on('system', {}, ({ status, message }: SystemMessage) => {
      if (status === 'ok') {
        if (Date.now() - joinedAt() > READY_MS) onChanges(true)
        return
      }
      // A sign-out elsewhere is not a failure.
      if (message !== SESSION_ENDED) logFailure('live changes', message)
      onChanges(false)
      onClosed()
    })
}

/**
 * Opens the app's one realtime connection, as this member, until the function it gives is called.
 *
 * @param onClosed called when the server closes or refuses the member's channel: the session may have ended
 */
export function startLive(me: string, onClosed: () => void): () => void {
  let isWanted = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = (): void => undefined

  const load = () => {
    clearTimeout(timer)
    loadRealtime().then(
      () => {
        if (isWanted) stop = openConnection(me, onClosed)
      },
      (cause: unknown) => {
        logFailure('load realtime', cause)
        if (!isWanted) return
        connection.setState({ state: 'lost', retryAt: Date.now() + RELOAD_MS })
        keeper = { hurry: load }
        timer = setTimeout(load, RELOAD_MS)
      },
    )
  }
  load()

  return () => {
    isWanted = false
    clearTimeout(timer)
    stop()
  }
}

function openConnection(me: string, onClosed: () => void): () => void {
  const mine = keepConnection({
    reopen: openSocket,
    beat: () => void supabase().realtime.sendHeartbeat(),
  })
  keeper = mine
  supabase().realtime.onHeartbeat(mine.heartbeat)
  const ignoreSocket = onSocketClosed(mine.socketClosed)
  const ignoreSlowAnswers = onSlowAnswer(mine.check)

  const handleVisibility = () => {
    // The library does as much by itself, unless the last socket was closed in good order.
    if (isVisible() && !supabase().realtime.isConnecting()) mine.hurry()
  }
  window.addEventListener('online', mine.hurry)
  window.addEventListener('offline', mine.check)
  const ignoreVisibility = onVisibility(handleVisibility)

  const changes = createChangeReader()
  let leave = (): void => undefined
  let isWanted = true
  const handleChanges = (areComing: boolean) => {
    if (!isWanted) return
    if (!areComing) return mine.unsubscribed()
    mine.subscribed()
    emitCaughtUp()
  }
  let joinedAt = Number.POSITIVE_INFINITY
  const handleStatus = (isSubscribed: boolean) => {
    joinedAt = isSubscribed ? Date.now() : Number.POSITIVE_INFINITY
    // A server that can be reached may refuse the channel because the session has ended.
    if (isWanted && !isSubscribed && supabase().realtime.isConnected()) onClosed()
    handleChanges(isSubscribed)
  }
  const subscribe = () => {
    if (!isWanted) return
    const prepare = (topic: string) =>
      memberChannel(topic, { changes, joinedAt: () => joinedAt, onChanges: handleChanges, onClosed })
    leave = keepSubscribed(`member:${me}`, prepare, handleStatus)
  }
  // The socket of who was signed in before is gone first.
  void closed.then(subscribe)

  return () => {
    isWanted = false
    leave()
    changes.stop()
    mine.stop()
    ignoreSocket()
    ignoreSlowAnswers()
    if (keeper === mine) keeper = null
    window.removeEventListener('online', mine.hurry)
    window.removeEventListener('offline', mine.check)
    ignoreVisibility()
    closed = allLeft().then(() => supabase().realtime.disconnect())
  }
}
