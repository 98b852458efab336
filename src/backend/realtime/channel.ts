import * as z from 'zod'
import type { BackendLog } from '#/backend/log'
import type { RateLimiter } from '#/backend/rate-limiter'
import { SESSION_ENDED } from '#/shared/realtime'
import type { ChangeFeed, Subscriber } from './changes/change-feed'
import type { Subscription } from './changes/subscription'
import { createMessages, type Link } from './channel-messages'
import { createChannelPresence } from './channel-presence'
import type { ChannelRights, RightsQuestion } from './channel-rights'
import { errorName } from './error-name'
import type { ClientMessage } from './frames'
import { type Identity, identityOf } from './identity'
import type { JoinConfig } from './join-config'
import { JoinError } from './join-error'
import type { RealtimeLimits } from './limits'
import type { RightsWatch, RightsWatcher } from './rights-watch'
import type { Occupant, Rooms } from './rooms'
import { SERVED_CHANNELS } from './served'
import { type Claims, expiryMessage, TokenError, type Tokens } from './tokens'

/** What all channels of the server share. */
export interface RealtimeContext {
  tokens: Tokens
  feed: ChangeFeed
  rooms: Rooms
  limits: RealtimeLimits
  /** What an identity may do in a private channel of this topic. */
  askRights(question: RightsQuestion): Promise<ChannelRights>
  rightsWatch: RightsWatch
  /** By member and topic. */
  broadcasts: RateLimiter
  presenceCalls: RateLimiter
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
}

/** A joined channel. */
export interface Channel {
  joinRef: string | null
  subscriptions: readonly Subscription[]
  isOpen(): boolean
  /** The claims of its token; of the project's key if it has no token. */
  claims(): Claims
  /** Handles what the client sent to it, but joining and leaving. Keeps nothing of the message while it waits. */
  handle(message: ClientMessage): Promise<void> | void
  /** Tells the client that it is closed. */
  close(): void
  /** Tells the client why, and that it is closed. */
  shutDown(reason: string): void
  /** Forgets it, without a word. */
  drop(): void
}

/** setTimeout's longest, and hosted's: expiry is looked at again after it. */
const EXPIRY_CHECK_MAX_MS = 60 * 60_000

/** Broadcasts from the database arrive as soon as a channel is joined. */
const REPLICATION_READY = 'Replication connection established'

const NO_DATABASE = 'Realtime was unable to connect to the project database'

export const subTopic = (topic: string): string => topic.slice('realtime:'.length)

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
  const messages = createMessages(link, topic, name, joinRef)
  let { identity, rights } = admission
  let lastToken = config.accessToken
  let isGone = false
  let expiry: NodeJS.Timeout | undefined

  const askRights = (asked: Identity) =>
    context.askRights({ identity: asked, topic: name, isGone: () => isGone })

  const occupant: Occupant = {
    presenceKey: config.presence.key || crypto.randomUUID(),
    hears: () => rights.broadcast.read,
    seesPresence: () => config.presence.enabled && rights.presence.read,
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
        const next = await askRights(asked)
        if (isGone) return
        if (identity === asked) takeRights(next)
        else await watcher.recheck()
      } catch (error) {
        shutDownAfter(error, 'Rights could not be asked again')
      }
    },
  }

  const drop = () => {
    if (isGone) return
    isGone = true
    clearTimeout(expiry)
    feed.unfollow(subscriber)
    context.rightsWatch.delete(watcher)
    rooms.leave(name, occupant)
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

  const shutDownAfter = (error: unknown, what: string) => {
    if (error instanceof TokenError || error instanceof JoinError) return shutDown(error.message)
    context.log('error', `${what}: ${errorName(error)}`)
    shutDown(NO_DATABASE)
  }

  const watchExpiry = () => {
    clearTimeout(expiry)
    const { exp } = identity.claims
    if (exp === undefined) return
    const left = exp * 1000 - Date.now()
    if (left <= 0) return shutDown(expiryMessage(exp))
    expiry = setTimeout(watchExpiry, Math.min(left, EXPIRY_CHECK_MAX_MS)).unref()
  }

  const follow = () => {
    if (config.subscriptions.length === 0) return
    feed.follow(subscriber, config.subscriptions)
    messages.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
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
      const nextRights = config.isPrivate ? await askRights(next) : rights
      if (isGone || !takeRights(nextRights)) return
      identity = next
      follow()
      watchExpiry()
    } catch (error) {
      shutDownAfter(error, 'A token could not be taken over')
    }
  }

  const memberInTopic = () => `${identity.claims.sub} ${name}`

  const broadcast = (message: ClientMessage) => {
    const { content } = message
    const refuse = (reason: string) => messages.reply(message, 'error', { reason })
    if (!rights.broadcast.write) return refuse('Unauthorized: You may not broadcast in this channel')
    if (content === undefined || !SERVED_CHANNELS.broadcasts.some((event) => event === content.event)) {
      return refuse('This broadcast is not served')
    }
    if (content.bytes.length > limits.payloadBytes) return refuse('payload_size_exceeded')
    if (context.broadcasts.take(memberInTopic()) > 0) return refuse('Too many broadcasts per second')
    rooms.broadcast(name, content, occupant)
  }

  const presence = createChannelPresence({
    rooms,
    room: name,
    occupant,
    limits,
    messages,
    mayCall: () => !config.isPrivate || context.presenceCalls.take(memberInTopic()) === 0,
    canWrite: () => rights.presence.write,
    shutDown,
  })

  if (config.isPrivate) rooms.enter(name, occupant)
  context.rightsWatch.add(watcher)
  const answered = config.subscriptions.map(({ binding, id }) => ({ ...binding, id }))
  messages.reply({ ref: joinRef }, 'ok', { postgres_changes: answered })
  presence.sendState()
  if (config.awaitsReplication) messages.system('system', 'ok', REPLICATION_READY)
  follow()
  watchExpiry()

  return {
    joinRef,
    subscriptions: config.subscriptions,
    isOpen: () => !isGone,
    claims: () => identity.claims,
    handle: (message) => {
      if (isGone) return
      if (message.event === 'broadcast') return broadcast(message)
      if (message.event === 'presence') return presence.handle(message)
      const refreshed = message.event === 'access_token' && accessTokenSchema.safeParse(message.payload).data
      // A key is no member's token: hosted takes no notice of one either.
      if (refreshed && !refreshed.access_token.startsWith('sb_')) return changeToken(refreshed.access_token)
    },
    close,
    shutDown,
    drop,
  }
}
