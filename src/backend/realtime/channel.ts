import * as z from 'zod'
import { type Claims, expiryMessage, TokenError, type Tokens } from '#/backend/access/tokens'
import type { BackendLog } from '#/backend/base/log'
import type { RateLimiter } from '#/backend/base/rate-limiter'
import { loggableError } from '#/backend/database/database-error'
import { SESSION_ENDED } from '#/shared/realtime'
import type { ChannelRights, RightsChange, RightsRequest } from './channel-rights'
import { type ClientMessage, encodeText } from './frames'
import type { JoinConfig } from './join'
import type { RealtimeLimits } from './limits'
import type { NewRows, RowRecord, RowsRequest } from './new-rows'
import type { Occupant, Rooms } from './rooms'
import { SERVED_CHANGES, SERVED_CHANNELS } from './served'

/** Shared by all channels of the server. */
export interface RealtimeContext {
  tokens: Tokens
  rooms: Rooms
  limits: RealtimeLimits
  /** Reads the rights of a member in a private channel. */
  readRights(request: RightsRequest): Promise<ChannelRights>
  readRows(request: RowsRequest): Promise<RowRecord[]>
  /** Counts broadcasts and presence messages by member and topic. */
  sends: RateLimiter
  log: BackendLog
}

/** An allowed join. */
export interface Admission {
  joinRef: string | null
  /** With the prefix `realtime:`. */
  topic: string
  config: JoinConfig
  claims: Claims
  rights: ChannelRights
}

/** A joined channel. */
export interface Channel {
  joinRef: string | null
  subscriptions: JoinConfig['subscriptions']
  /** The claims of its token, or of the project's key if it has no token. Their member never changes. */
  claims(): Claims
  /** Whether the change may have ended the member's right to the channel. */
  isConcerned(change: RightsChange): boolean
  /** Handles a message, except joins and leaves. Does not retain the message while it waits. */
  handle(message: ClientMessage): Promise<void> | void
  /** Sends new rows that the member may see and that match a subscription. */
  sendNewRows(rows: NewRows): Promise<void>
  /** Reads the rights again, and closes the channel if the member may no longer read it. Until then it receives nothing. */
  recheckRights(): Promise<void>
  /** Closes the channel, because its topic no longer exists. */
  revoke(): void
  /** Closes the channel after a change could not be delivered. The client rejoins and refetches. */
  fail(): void
  closeIfExpired(now: number): void
  endSession(): void
  /** Closes the channel and notifies the client. */
  close(): void
  /** Closes the channel without notifying the client. */
  drop(): void
}

const NO_DATABASE = 'Realtime was unable to connect to the project database'

export const subTopic = (topic: string): string => topic.slice('realtime:'.length)

const accessTokenSchema = z.object({ access_token: z.string() })
const presenceSchema = z.object({
  event: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['track', 'untrack'])),
  payload: z.record(z.string(), z.unknown()).nullish(),
})

/** Opens the channel of an allowed join. `onClose` is called when it closes for any reason. */
export function openChannel(
  context: RealtimeContext,
  sendFrame: (frame: string | Buffer) => void,
  admission: Admission,
  onClose: () => void,
): Channel {
  const { rooms, limits, tokens, log } = context
  const { joinRef, topic, config } = admission
  const { subscriptions } = config
  const name = subTopic(topic)
  let { claims, rights } = admission
  let lastToken = config.accessToken
  let isClosed = false
  let recheck: Promise<void> | null = null
  let areRightsOutdated = false

  const send = (event: string, payload: unknown, ref: string | null = null) =>
    sendFrame(encodeText({ joinRef, ref, topic, event, payload }))
  const sendSystem = (extension: 'system' | 'postgres_changes', status: 'ok' | 'error', message: string) =>
    send('system', { extension, status, message, channel: name })
  const reply = ({ ref }: Pick<ClientMessage, 'ref'>, status: 'ok' | 'error', response: object = {}) =>
    send('phx_reply', { status, response }, ref)

  /** Holds back what is sent during a recheck, because the member may have lost the right to it. */
  const afterRecheck = (work: () => void) => {
    if (recheck === null) return work()
    void recheck.then(() => {
      if (!isClosed) work()
    })
  }

  const occupant: Occupant = {
    member: claims.sub ?? '',
    presenceKey: config.presence.key || crypto.randomUUID(),
    receivesBroadcasts: () => rights.broadcast.read,
    receivesPresence: () => config.presence.enabled && rights.presence.read,
    sendFrame: (frame) => afterRecheck(() => sendFrame(frame)),
    sendEvent: (event, payload) => afterRecheck(() => send(event, payload)),
  }

  const drop = () => {
    if (isClosed) return
    isClosed = true
    rooms.leave(name, occupant)
    onClose()
  }
  const close = () => {
    if (isClosed) return
    drop()
    send('phx_close', {}, joinRef)
  }
  /** Closes the channel and sends the client the reason. */
  const shutDown = (reason: string) => {
    if (isClosed) return
    sendSystem('system', 'error', reason)
    close()
  }
  const shutDownOnError = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (isClosed) return
      if (error instanceof TokenError) return shutDown(error.message)
      log('error', `A channel could not be checked: ${loggableError(error)}`)
      shutDown(NO_DATABASE)
    }
  }

  const confirmSubscriptions = () => {
    if (subscriptions.length > 0) sendSystem('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
  }
  const readRights = (of: Claims) => context.readRights({ claims: of, topic: name, isGone: () => isClosed })
  const revoke = () => shutDown(`You no longer have permission to read from this Channel topic: ${name}`)

  const applyRights = (next: ChannelRights) => {
    const lost = (['broadcast', 'presence'] as const).some((part) => rights[part].read && !next[part].read)
    if (lost) return revoke()
    rights = next
    if (!rights.presence.write) rooms.untrack(name, occupant)
  }

  const readOutdatedRights = async () => {
    while (areRightsOutdated && !isClosed) {
      areRightsOutdated = false
      await shutDownOnError(async () => applyRights(await readRights(claims)))
    }
    recheck = null
  }
  /** A recheck that waits covers later changes too, so that another member cannot cause any number of reads. */
  const recheckRights = async () => {
    areRightsOutdated = true
    recheck ??= readOutdatedRights()
    await recheck
  }

  const changeToken = async (token: string) => {
    if (token === lastToken) return
    lastToken = token
    const next = await tokens.verify(token)
    if (next.sub !== claims.sub || next.role !== claims.role) return revoke()
    claims = next
    if (config.isPrivate) applyRights(await readRights(next))
    if (!isClosed) confirmSubscriptions()
  }

  const fail = () => {
    drop()
    send('phx_error', {}, joinRef)
  }

  const sendNewRows = async (rows: NewRows) => {
    const ofTable = subscriptions.filter(({ binding }) => binding.table === rows.table)
    if (ofTable.length === 0) return
    try {
      const records = await context.readRows({ claims, rows, isGone: () => isClosed })
      for (const record of isClosed ? [] : records) {
        const value = record[SERVED_CHANGES[rows.table]]
        const ids = ofTable.filter((subscription) => subscription.value === value).map(({ id }) => id)
        if (ids.length === 0) continue
        // Its values are JSON, so supabase-js needs no types of columns.
        const shape = { schema: 'public', table: rows.table, type: 'INSERT', columns: [], errors: null }
        const data = { ...shape, commit_timestamp: new Date().toISOString(), record }
        send('postgres_changes', { ids, data })
      }
    } catch (error) {
      if (isClosed) return
      log('warn', `New rows could not be read for a subscriber: ${loggableError(error)}`)
      fail()
    }
  }

  const mayStillSend = () => context.sends.take(`${claims.sub} ${name}`) === 0

  const broadcast = (message: ClientMessage) => {
    const { content } = message
    const refuse = (reason: string) => reply(message, 'error', { reason })
    if (!rights.broadcast.write) return refuse('Unauthorized: You may not broadcast in this channel')
    if (content === undefined || !SERVED_CHANNELS.broadcasts.some((event) => event === content.event)) {
      return refuse('This broadcast is not served')
    }
    if (content.bytes.length > limits.payloadBytes) return refuse('payload_size_exceeded')
    if (!mayStillSend()) return refuse('Too many broadcasts per second')
    rooms.broadcast(name, content, (other) => other !== occupant)
  }

  const changePresence = (message: ClientMessage) => {
    const refuse = (reason: string) => reply(message, 'error', { reason })
    const { data } = presenceSchema.safeParse(message.payload)
    if (data === undefined) return refuse('Presence track payload must be a map')
    if (!rights.presence.write) return refuse('Unauthorized: You may not be present in this channel')
    if (Buffer.byteLength(JSON.stringify(data.payload ?? {})) > limits.payloadBytes) {
      return refuse('payload_size_exceeded')
    }
    if (!mayStillSend()) return refuse('Too many presence messages per second')
    if (data.event === 'track') rooms.track(name, occupant, data.payload ?? {})
    else rooms.untrack(name, occupant)
    reply(message, 'ok')
  }

  if (config.isPrivate) rooms.enter(name, occupant)
  reply({ ref: joinRef }, 'ok', {
    postgres_changes: subscriptions.map(({ binding, id }) => ({ ...binding, id })),
  })
  if (occupant.receivesPresence()) send('presence_state', rooms.presenceState(name))
  confirmSubscriptions()

  return {
    joinRef,
    subscriptions,
    claims: () => claims,
    isConcerned: ({ members, authors, deleted }) =>
      config.isPrivate &&
      (members === undefined || members.includes(claims.sub ?? '')) &&
      (authors === undefined || authors.includes(rights.author ?? '')) &&
      (deleted === undefined || deleted.includes(name)),
    handle: (message) => {
      if (isClosed) return
      if (message.event === 'broadcast') return broadcast(message)
      if (message.event === 'presence') return changePresence(message)
      if (message.event !== 'access_token') return
      const { data } = accessTokenSchema.safeParse(message.payload)
      // Like hosted, ignore keys, which are not members' tokens.
      if (data === undefined || data.access_token.startsWith('sb_')) return
      return shutDownOnError(() => changeToken(data.access_token))
    },
    sendNewRows,
    recheckRights,
    revoke,
    fail,
    closeIfExpired: (now) => {
      if (claims.exp !== undefined && claims.exp * 1_000 <= now) shutDown(expiryMessage(claims.exp))
    },
    endSession: () => shutDown(SESSION_ENDED),
    close,
    drop,
  }
}
