import * as z from 'zod'
import { loggableError } from '#/backend/database/database-error'
import type { BackendLog } from '#/backend/log'
import type { RateLimiter } from '#/backend/rate-limiter'
import { SESSION_ENDED } from '#/shared/realtime'
import type { ChangeFeed, Subscriber } from './change-feed'
import { createChannelPresence } from './channel-presence'
import type { ChannelRights, RightsRequest } from './channel-rights'
import type { ClientMessage } from './frames'
import { createMessages, type Link } from './frames'
import { type Identity, identityOf } from './identity'
import type { JoinConfig, Subscription } from './join-config'
import { JoinError } from './join-config'
import type { RealtimeLimits } from './limits'
import type { RightsWatch, RightsWatcher } from './rights-watch'
import type { Occupant, Rooms } from './rooms'
import { SERVED_CHANNELS } from './served'
import { type Claims, expiryMessage, TokenError, type Tokens } from './tokens'

/** Shared by all channels of the server. */
export interface RealtimeContext {
  tokens: Tokens
  feed: ChangeFeed
  rooms: Rooms
  limits: RealtimeLimits
  /** Reads the rights of an identity in a private channel. */
  readRights(request: RightsRequest): Promise<ChannelRights>
  rightsWatch: RightsWatch
  /** By member and topic. */
  broadcasts: RateLimiter
  presenceCalls: RateLimiter
  log: BackendLog
}

/** An allowed join. */
export interface Admission {
  joinRef: string | null
  /** With the prefix `realtime:`. */
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
  /** The claims of its token, or of the project's key if it has no token. */
  claims(): Claims
  /** Handles a message, except joins and leaves. Does not retain the message while it waits. */
  handle(message: ClientMessage): Promise<void> | void
  /** Closes the channel and notifies the client. */
  close(): void
  /** Closes the channel and sends the client the reason. */
  shutDown(reason: string): void
  /** Closes the channel without notifying the client. */
  drop(): void
}

/** Expiry is checked at least this often, like on hosted; setTimeout is limited to 24 days. */
const EXPIRY_CHECK_MAX_MS = 60 * 60_000

/** Broadcasts from the database arrive as soon as a channel is joined, so this is sent at once. */
const REPLICATION_READY = 'Replication connection established'

const NO_DATABASE = 'Realtime was unable to connect to the project database'

export const subTopic = (topic: string): string => topic.slice('realtime:'.length)

const accessTokenSchema = z.object({ access_token: z.string() })

/**
 * Opens the channel of an allowed join.
 * @param onClose called when the channel closes for any reason
 */
export function openChannel(
  context: RealtimeContext,
  link: Link,
  admission: Admission,
  onClose: () => void,
): Channel {
  const { feed, rooms, limits, tokens } = context
  const { joinRef, topic, config } = admission
  const name = subTopic(topic)
  const messages = createMessages(link, topic, name, joinRef)
  let { identity, rights } = admission
  let lastToken = config.accessToken
  let isClosed = false
  let expiry: NodeJS.Timeout | undefined

  const readRights = (of: Identity) =>
    context.readRights({ identity: of, topic: name, isGone: () => isClosed })

  const occupant: Occupant = {
    presenceKey: config.presence.key || crypto.randomUUID(),
    receivesBroadcasts: () => rights.broadcast.read,
    receivesPresence: () => config.presence.enabled && rights.presence.read,
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
      const checked = identity
      try {
        const next = await readRights(checked)
        if (isClosed) return
        if (identity === checked) applyRights(next)
        else await watcher.recheck()
      } catch (error) {
        shutDownAfter(error, 'Rights could not be rechecked')
      }
    },
  }

  const drop = () => {
    if (isClosed) return
    isClosed = true
    clearTimeout(expiry)
    feed.unsubscribe(subscriber)
    context.rightsWatch.delete(watcher)
    rooms.leave(name, occupant)
    onClose()
  }
  const close = () => {
    if (isClosed) return
    drop()
    messages.closed()
  }
  const shutDown = (reason: string) => {
    if (isClosed) return
    messages.system('system', 'error', reason)
    close()
  }

  const shutDownAfter = (error: unknown, what: string) => {
    if (error instanceof TokenError || error instanceof JoinError) return shutDown(error.message)
    context.log('error', `${what}: ${loggableError(error)}`)
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

  const subscribe = () => {
    if (config.subscriptions.length === 0) return
    feed.subscribe(subscriber, config.subscriptions)
    messages.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
  }

  /** Returns false, and closes the channel, if the rights to read are lost. */
  const applyRights = (next: ChannelRights): boolean => {
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
      const nextRights = config.isPrivate ? await readRights(next) : rights
      if (isClosed || !applyRights(nextRights)) return
      identity = next
      subscribe()
      watchExpiry()
    } catch (error) {
      shutDownAfter(error, 'A new token could not be applied')
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
  const bindings = config.subscriptions.map(({ binding, id }) => ({ ...binding, id }))
  messages.reply({ ref: joinRef }, 'ok', { postgres_changes: bindings })
  presence.sendState()
  if (config.awaitsReplication) messages.system('system', 'ok', REPLICATION_READY)
  subscribe()
  watchExpiry()

  return {
    joinRef,
    subscriptions: config.subscriptions,
    isOpen: () => !isClosed,
    claims: () => identity.claims,
    handle: (message) => {
      if (isClosed) return
      if (message.event === 'broadcast') return broadcast(message)
      if (message.event === 'presence') return presence.handle(message)
      const refreshed = message.event === 'access_token' && accessTokenSchema.safeParse(message.payload).data
      // Like hosted, ignore keys, which are not members' tokens.
      if (refreshed && !refreshed.access_token.startsWith('sb_')) return changeToken(refreshed.access_token)
    },
    close,
    shutDown,
    drop,
  }
}
