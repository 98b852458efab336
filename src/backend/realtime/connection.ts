import type { RawData, WebSocket } from 'ws'
import { loggableError } from '#/backend/database/database-error'
import type { ConnectionShare } from '#/backend/http/connection-shares'
import { createMutex, type Exclusive } from '#/backend/mutex'
import { createRateLimiter } from '#/backend/rate-limiter'
import type { Channel, RealtimeContext } from './channel'
import type { Link } from './frames'
import { type ClientMessage, decodeFrame, encodeText } from './frames'
import { joinChannel } from './join-channel'
import { type JoinConfig, JoinError, parseJoin } from './join-config'
import type { Claims } from './tokens'

/** Codes of RFC 6455, section 7.4.1. */
const CLOSE = { protocolError: 1002, policyViolation: 1008 } as const

/** This many times the allowed messages per second close the connection. */
const FLOOD_FACTOR = 3

type Address = Pick<ClientMessage, 'joinRef' | 'ref' | 'topic'>
type JoinAddress = Pick<ClientMessage, 'ref' | 'topic'>

const TOO_MANY_CONNECTIONS = 'Too many connections of this member'

/** A client that sends too much has this long to read the reason before it is disconnected. */
const CLOSE_GRACE_MS = 250

/** A client's WebSocket. */
export interface Connection {
  /** Time of the last message, in milliseconds since 1970. */
  lastReceivedAt(): number
  /** Since when no member uses it, in milliseconds since 1970; null if one does. */
  unauthenticatedSince(): number | null
  /** Stops counting it for its member if it belongs to this session. */
  endSession(session: string): void
  /** Closes the socket without a closing handshake. */
  terminate(): void
  /** Closes it because its address has too many connections. */
  evict(): void
}

export interface ConnectionOptions {
  socket: WebSocket
  keyClaims: Claims
  share: Pick<ConnectionShare, 'identify' | 'forget'>
}

/** Serves one client until its socket is closed. */
export function serveConnection(
  context: RealtimeContext,
  { socket, keyClaims, share }: ConnectionOptions,
): Connection {
  const { limits, log } = context
  const channels = new Map<string, Channel>()
  const queues = new Map<string, { run: Exclusive; waiting: number }>()
  const waiting = { frames: 0, bytes: 0 }
  const perSecond = (limit: number) => createRateLimiter({ limit, windowMs: 1_000 })
  const messages = perSecond(limits.messagesPerSecond)
  const flood = perSecond(limits.messagesPerSecond * FLOOD_FACTOR)
  const received = perSecond(limits.bytesPerSecond)
  const joins = perSecond(limits.joinsPerSecond)
  let lastReceivedAt = Date.now()
  let unauthenticatedSince: number | null = lastReceivedAt
  let session: string | undefined
  const joining = new Set<JoinConfig>()

  const isOpen = () => socket.readyState === socket.OPEN
  const sendFrame = (frame: string | Buffer) => {
    if (!isOpen()) return
    // A client that does not read has to reconnect and refetch, because its messages would fill the server's memory.
    if (socket.bufferedAmount > limits.unsentBytes) socket.terminate()
    else socket.send(frame)
  }
  const link: Link = {
    sendFrame,
    send: (message) => sendFrame(encodeText(message)),
  }
  /** Closes the connection and stops reading, even if the client never responds. */
  const disconnect = (code: number, reason: string) => {
    socket.close(code, reason)
    socket.pause()
    setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref()
  }
  const reply = ({ joinRef, ref, topic }: Address, status: 'ok' | 'error', response: object = {}) =>
    link.send({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })

  const refuseJoin = (to: JoinAddress, reason: string) =>
    reply({ ...to, joinRef: to.ref }, 'error', { reason })

  const refuseJoinAfter = (to: JoinAddress, error: unknown) => {
    if (!(error instanceof JoinError)) log('error', `A join failed: ${loggableError(error)}`)
    refuseJoin(to, error instanceof JoinError ? error.message : 'Unknown Error on Channel')
  }

  const identifyMember = ({ sub, session_id }: Claims, onRefused = (): void => undefined) => {
    if (sub === undefined || unauthenticatedSince === null) return
    unauthenticatedSince = null
    session = session_id
    if (share.identify(sub)) return
    onRefused()
    socket.close(CLOSE.policyViolation, TOO_MANY_CONNECTIONS)
  }

  /** Counts pending joins too, because several may wait for the database. */
  const refuseTooMany = ({ subscriptions }: JoinConfig) => {
    if (channels.size + joining.size >= limits.channelsPerConnection) {
      throw new JoinError('ChannelRateLimitReached: Too many channels')
    }
    const others = [...channels.values(), ...joining]
    const bindings = others.reduce((sum, other) => sum + other.subscriptions.length, subscriptions.length)
    if (bindings > limits.bindingsPerConnection) {
      throw new JoinError('ChannelRateLimitReached: Too many postgres_changes bindings')
    }
  }

  /** Parses a join before it waits, because a raw payload takes many times its size in memory. */
  const join = ({ topic, ref, payload }: ClientMessage): Promise<void> | void => {
    channels.get(topic)?.close()
    try {
      const config = parseJoin(payload)
      refuseTooMany(config)
      return admit({ topic, ref }, config)
    } catch (error) {
      refuseJoinAfter({ topic, ref }, error)
    }
  }

  const admit = async (to: JoinAddress, config: JoinConfig) => {
    const { topic } = to
    joining.add(config)
    try {
      let channel: Channel | null = null
      const onClose = () => {
        if (channels.get(topic) === channel) channels.delete(topic)
      }
      channel = await joinChannel(context, link, to, {
        config,
        keyClaims,
        isOpen,
        identifyMember: (claims) =>
          identifyMember(claims, () => refuseJoin(to, `ConnectionRateLimitReached: ${TOO_MANY_CONNECTIONS}`)),
        onClose,
      })
      if (channel?.isOpen()) channels.set(topic, channel)
    } catch (error) {
      refuseJoinAfter(to, error)
    } finally {
      joining.delete(config)
    }
  }

  const handle = (message: ClientMessage | null): Promise<void> | void => {
    if (!isOpen() || message === null) return
    if (message.event === 'phx_join' && message.topic.startsWith('realtime:')) return join(message)
    const channel = channels.get(message.topic)
    // Ignore messages of an earlier join of the topic.
    const isCurrent = message.joinRef === null || message.joinRef === channel?.joinRef
    if (message.event === 'phx_leave') {
      reply(message, 'ok')
      if (isCurrent) channel?.close()
      return
    }
    if (channel === undefined) return reply(message, 'error', { reason: 'unmatched topic' })
    if (isCurrent) return channel.handle(message)
  }

  /** Messages of a topic are handled in order; topics do not wait for each other. */
  const enqueue = (topic: string, data: Buffer, isBinary: boolean) => {
    const bytes = data.length
    waiting.frames += 1
    waiting.bytes += bytes
    if (waiting.frames > limits.waitingFrames || waiting.bytes > limits.waitingBytes) {
      return disconnect(CLOSE.policyViolation, 'Too many messages waiting')
    }
    const queue = queues.get(topic) ?? { run: createMutex(), waiting: 0 }
    queues.set(topic, queue)
    queue.waiting += 1
    // A copy, because a received frame may be a small part of a larger buffer.
    const copy = Buffer.allocUnsafeSlow(bytes)
    data.copy(copy)
    queue
      .run(() => Promise.resolve(handle(decodeFrame(copy, isBinary))))
      .catch((error) => log('error', `A realtime message could not be handled: ${loggableError(error)}`))
      .finally(() => {
        waiting.frames -= 1
        waiting.bytes -= bytes
        queue.waiting -= 1
        if (queue.waiting === 0) queues.delete(topic)
      })
  }

  /** Counts a frame before it is parsed. Disconnects the client, and returns true, if it sends too much. */
  const isFlooding = (data: Buffer): boolean => {
    if (flood.take() === 0 && received.take('', data.length) === 0) return false
    disconnect(CLOSE.policyViolation, 'Too many messages per second')
    return true
  }

  const receive = (frame: RawData, isBinary: boolean) => {
    // A client may continue to send while its connection closes.
    if (!isOpen()) return
    lastReceivedAt = Date.now()
    // `binaryType` is ws's default.
    const data = frame as Buffer
    if (isFlooding(data)) return
    const message = decodeFrame(data, isBinary)
    if (message === null) return disconnect(CLOSE.protocolError, 'Not a message of the protocol')
    const isTooFast = messages.take() > 0
    if (message.topic === 'phoenix') {
      return message.event === 'heartbeat' && !isTooFast ? reply(message, 'ok') : undefined
    }
    // Limited before queueing, because a flood of joins that wait for the database would fill the memory.
    if (message.event === 'phx_join') {
      if (joins.take() > 0) {
        channels.get(message.topic)?.close()
        return isTooFast
          ? undefined
          : refuseJoin(message, 'ClientJoinRateLimitReached: Too many joins per second')
      }
    } else if (isTooFast) {
      return channels.get(message.topic)?.shutDown('Too many messages per second')
    }
    enqueue(message.topic, data, isBinary)
  }

  socket.on('message', receive)
  for (const event of ['ping', 'pong'] as const) {
    socket.on(event, (data) => {
      if (isOpen()) isFlooding(data)
    })
  }
  socket.on('close', () => {
    for (const channel of [...channels.values()]) channel.drop()
    channels.clear()
  })
  // ws closes the socket with the matching code.
  socket.on('error', () => undefined)

  return {
    lastReceivedAt: () => lastReceivedAt,
    unauthenticatedSince: () => {
      for (const channel of channels.values()) identifyMember(channel.claims())
      return unauthenticatedSince
    },
    endSession: (ended) => {
      if (session !== ended) return
      session = undefined
      unauthenticatedSince = Date.now()
      share.forget()
    },
    terminate: () => socket.terminate(),
    evict: () => {
      socket.close(CLOSE.policyViolation, 'Too many connections from this address')
    },
  }
}
