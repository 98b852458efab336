import * as z from 'zod'
import type { BackendLog } from '#/backend/log'
import { SESSION_ENDED } from '#/shared/realtime'
import type { ChangeFeed, Subscriber } from './changes/change-feed'
import { bindingId, type Subscribe, type Subscription, SubscriptionError } from './changes/subscriptions'
import { createMessages, type Link } from './channel-messages'
import { createChannelPresence } from './channel-presence'
import type { ChannelRights } from './channel-rights'
import { errorName } from './error-name'
import type { BroadcastContent, ClientMessage } from './frames'
import { type Identity, identityOf } from './identity'
import type { ChangeBinding, JoinConfig } from './join-config'
import type { RealtimeLimits } from './limits'
import type { RightsWatch, RightsWatcher } from './rights-watch'
import type { Occupant, Rooms } from './rooms'
import { expiryMessage, TokenError, type Tokens } from './tokens'

/** What all channels of the server share. */
export interface RealtimeContext {
  tokens: Tokens
  feed: ChangeFeed
  subscribe: Subscribe
  rooms: Rooms
  limits: RealtimeLimits
  /** What an identity may do in a private channel of this topic. */
  askRights(identity: Identity, topic: string): Promise<ChannelRights>
  rightsWatch: RightsWatch
  log: BackendLog
}

/** What a join came to, once it was allowed. */
export interface Admission {
  joinRef: string | null
  /** As the client names it, `realtime:` before it. */
  topic: string
  config: JoinConfig
  identity: Identity
  rights: ChannelRights
  subscriptions: BoundSubscriptions
}

export interface BoundSubscriptions {
  subscriptions: Subscription[]
  /** Why there are none, in hosted's words. */
  refusal: string | null
}

/** A joined channel. */
export interface Channel {
  joinRef: string | null
  isOpen(): boolean
  /** The member whose token it has; undefined if it has only the project's key. */
  member(): string | undefined
  /** Handles what the client sent to it, but joining and leaving. */
  handle(message: ClientMessage): Promise<void>
  /** Tells the client that it is closed. */
  close(): void
  /** Tells the client why, and that it is closed. */
  shutDown(reason: string): void
  /** Forgets it, without a word. */
  drop(): void
}

/** setTimeout's longest, and hosted's: expiry is looked at again after it. */
const EXPIRY_CHECK_MAX_MS = 60 * 60_000

const NO_DATABASE = 'Realtime was unable to connect to the project database'

export const subTopic = (topic: string): string => topic.slice('realtime:'.length)

/** All or nothing, as on hosted: one binding that is refused leaves the channel without any. */
export async function subscribeAll(
  subscribe: Subscribe,
  bindings: readonly ChangeBinding[],
  role: string,
): Promise<BoundSubscriptions> {
  try {
    const subscriptions = await Promise.all(bindings.map((binding) => subscribe(binding, role)))
    return { subscriptions, refusal: null }
  } catch (error) {
    if (error instanceof SubscriptionError) return { subscriptions: [], refusal: error.message }
    throw error
  }
}

const broadcastSchema = z.object({ event: z.string(), payload: z.unknown().optional() })
const accessTokenSchema = z.object({ access_token: z.string() })

/** Makes a channel of an allowed join; everything it is told from now on is sent. `onGone` is called when it ends. */
export function openChannel(
  context: RealtimeContext,
  link: Link,
  admission: Admission,
  onGone: () => void,
): Channel {
  const { feed, rooms, limits, tokens } = context
  const { joinRef, topic, config } = admission
  const name = subTopic(topic)
  const room = `${config.isPrivate ? 'private' : 'public'}:${name}`
  const messages = createMessages(link, topic, name, joinRef)
  let { identity, rights } = admission
  let hasPresence = config.presence.enabled
  let lastToken = config.accessToken
  let isGone = false
  let expiry: NodeJS.Timeout | undefined

  const occupant: Occupant = {
    presenceKey: config.presence.key || crypto.randomUUID(),
    version: link.version,
    hears: () => rights.broadcast.read,
    seesPresence: () => hasPresence && rights.presence.read,
    sendFrame: link.sendFrame,
    sendEvent: messages.event,
  }
  const subscriber: Subscriber = {
    identity: () => identity,
    deliver: (message) => messages.event('postgres_changes', message),
    restart: () => {
      drop()
      messages.failed()
    },
  }

  const watcher: RightsWatcher = {
    identity: () => identity,
    endSession: () => shutDown(SESSION_ENDED),
    recheck: async () => {
      if (!config.isPrivate) return
      const asked = identity
      try {
        const next = await context.askRights(asked, name)
        if (isGone) return
        if (identity === asked) takeRights(next)
        else await watcher.recheck()
      } catch (error) {
        context.log('error', `Rights could not be asked again: ${errorName(error)}`)
        shutDown(NO_DATABASE)
      }
    },
  }

  const drop = () => {
    if (isGone) return
    isGone = true
    clearTimeout(expiry)
    feed.unfollow(subscriber)
    context.rightsWatch.delete(watcher)
    rooms.leave(room, occupant)
    onGone()
  }
  const close = () => {
    if (isGone) return
    drop()
    messages.closed()
  }
  const shutDown = (reason: string) => {
    if (isGone) return
    messages.system('system', 'error', reason)
    close()
  }

  const watchExpiry = () => {
    clearTimeout(expiry)
    const { exp } = identity.claims
    if (exp === undefined) return
    const left = exp * 1000 - Date.now()
    if (left <= 0) return shutDown(expiryMessage(exp))
    expiry = setTimeout(watchExpiry, Math.min(left, EXPIRY_CHECK_MAX_MS)).unref()
  }

  const follow = ({ subscriptions, refusal }: BoundSubscriptions) => {
    feed.follow(subscriber, subscriptions)
    if (config.bindings.length === 0) return
    messages.system(
      'postgres_changes',
      refusal === null ? 'ok' : 'error',
      refusal ?? 'Subscribed to PostgreSQL',
    )
  }

  /** Gives whether the channel goes on with these rights. */
  const takeRights = (next: ChannelRights): boolean => {
    const isRevoked =
      (rights.broadcast.read && !next.broadcast.read) || (rights.presence.read && !next.presence.read)
    if (isRevoked) {
      shutDown(`You no longer have permission to read from this Channel topic: ${name}`)
      return false
    }
    rights = next
    if (!rights.presence.write) presence.end()
    return true
  }

  const changeToken = async (token: string) => {
    if (token === lastToken) return
    lastToken = token
    try {
      const next = identityOf(await tokens.verify(token))
      const bound = await subscribeAll(context.subscribe, config.bindings, next.claims.role)
      // Last, so that no change of them can come between the answer and its use.
      const nextRights = config.isPrivate ? await context.askRights(next, name) : rights
      if (isGone || !takeRights(nextRights)) return
      identity = next
      follow(bound)
      watchExpiry()
    } catch (error) {
      if (error instanceof TokenError) return shutDown(error.message)
      context.log('error', `A token could not be taken over: ${errorName(error)}`)
      shutDown(NO_DATABASE)
    }
  }

  const broadcast = (message: ClientMessage) => {
    const content = broadcastContent(message.payload)
    if (content === null || !rights.broadcast.write) return
    if (content.bytes.length > limits.payloadBytes) {
      if (config.broadcast.ack) messages.reply(message, 'error', { reason: 'payload_size_exceeded' })
      return
    }
    rooms.broadcast(room, topic, content, config.broadcast.self ? null : occupant)
    if (config.broadcast.ack) messages.reply(message, 'ok')
  }

  const presence = createChannelPresence({
    rooms,
    room,
    occupant,
    limits,
    messages,
    canWrite: () => rights.presence.write,
    shutDown,
    turnOn: () => {
      const wasOff = !hasPresence
      hasPresence = true
      return wasOff
    },
  })

  rooms.enter(room, occupant)
  context.rightsWatch.add(watcher)
  const answered = config.bindings.map((binding) => ({ ...binding, id: bindingId(binding) }))
  messages.reply({ ref: joinRef }, 'ok', { postgres_changes: answered })
  presence.tell()
  follow(admission.subscriptions)
  watchExpiry()

  return {
    joinRef,
    isOpen: () => !isGone,
    member: () => identity.claims.sub,
    handle: async (message) => {
      if (isGone) return
      if (message.event === 'broadcast') return broadcast(message)
      if (message.event === 'presence') return presence.handle(message)
      const refreshed = message.event === 'access_token' && accessTokenSchema.safeParse(message.payload).data
      // A key is no member's token: hosted takes no notice of one either.
      if (refreshed && !refreshed.access_token.startsWith('sb_')) await changeToken(refreshed.access_token)
    },
    close,
    shutDown,
    drop,
  }
}

/** The content of a broadcast, from a binary frame or a text one. */
function broadcastContent(payload: unknown): BroadcastContent | null {
  if (isContent(payload)) return payload
  const text = broadcastSchema.safeParse(payload)
  if (!text.success) return null
  const bytes = Buffer.from(JSON.stringify(text.data.payload ?? {}))
  return { event: text.data.event, encoding: 'json', bytes }
}

function isContent(payload: unknown): payload is BroadcastContent {
  return (
    typeof payload === 'object' && payload !== null && 'bytes' in payload && Buffer.isBuffer(payload.bytes)
  )
}
