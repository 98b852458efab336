import { logFailure } from '#/renderer/lib/logger'
import { withSafePictures } from '#/renderer/lib/media/stored-pictures'
import { loadRealtime, onSlowAnswer, onSocketClosed, supabase } from '#/renderer/lib/supabase'
import { isVisible, onVisibility } from '#/renderer/lib/visibility'
import { SESSION_ENDED } from '#/shared/realtime'
import { type ConnectionKeeper, connection, keepConnection } from './connection'
import {
  emitCaughtUp,
  emitMessageEvent,
  emitNotificationEvent,
  type MessageRow,
  type MessageUpdate,
  type NotificationRow,
} from './events'
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

/** One subscription for each side of a message: a filter knows no 'or'. */
const MESSAGE_SIDES = ['recipient_id', 'sender_id'] as const

/**
 * The server answers a join once changes flow, within this time in milliseconds; less than an attempt of the keeper.
 * Older servers ignore `wait`: they answer at once and report later that changes flow.
 */
const CHANGES_OPTIONS = { wait: true, timeout: 10_000 } as const

/** A server that waits reports that changes flow within this time of its answer, in milliseconds. */
const WAITED_MS = 1_000

/** What the server tells of a channel besides its events. */
interface SystemMessage {
  extension: string
  status: string
  message: string
}

interface MemberChannelParts {
  me: string
  /** When the channel was last joined, in milliseconds since 1970. */
  joinedAt: () => number
  /** Called with false when changes stop although the channel is joined, with true when they flow again. */
  onChanges: (areFlowing: boolean) => void
  /** Called when the server closes the channel: the session may have ended. */
  onClosed: () => void
}

/** The member's private channel, with the changes of their messages and notifications. */
function memberChannel(topic: string, { me, joinedAt, onChanges, onClosed }: MemberChannelParts) {
  const channel = supabase().channel(topic, {
    config: { private: true, postgres_changes_options: CHANGES_OPTIONS },
  })
  for (const side of MESSAGE_SIDES) {
    const messages = { schema: 'public', table: 'messages', filter: `${side}=eq.${me}` } as const
    channel
      .on<MessageRow>('postgres_changes', { ...messages, event: 'INSERT' }, ({ new: row }) =>
        emitMessageEvent({ kind: 'insert', row: withSafePictures(row) }),
      )
      .on<MessageUpdate>('postgres_changes', { ...messages, event: 'UPDATE' }, ({ new: row }) =>
        emitMessageEvent({ kind: 'update', row: withSafePictures(row) }),
      )
  }
  let hasFailed = false
  const isLate = () => Date.now() - joinedAt() > WAITED_MS
  return channel
    .on<NotificationRow>(
      'postgres_changes',
      { schema: 'public', table: 'notifications', event: 'INSERT', filter: `user_id=eq.${me}` },
      ({ new: row }) => emitNotificationEvent(row),
    )
    .on('system', {}, ({ extension, status, message }: SystemMessage) => {
      if (status !== 'ok') {
        // A sign-out elsewhere is not a failure.
        if (message !== SESSION_ENDED) logFailure('live changes', message)
        hasFailed = true
        onChanges(false)
        if (extension === 'system') onClosed()
      } else if (extension === 'postgres_changes' && (hasFailed || isLate())) {
        hasFailed = false
        onChanges(true)
      }
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
      memberChannel(topic, { me, joinedAt: () => joinedAt, onChanges: handleChanges, onClosed })
    leave = keepSubscribed(`member:${me}`, prepare, handleStatus)
  }
  // The socket of who was signed in before is gone first.
  void closed.then(subscribe)

  return () => {
    isWanted = false
    leave()
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
