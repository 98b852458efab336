import type { RawData, WebSocket } from 'ws'
import { createMutex, type Exclusive } from '#/backend/mutex'
import { createRateLimiter } from '#/backend/rate-limiter'
import type { Channel, RealtimeContext } from './channel'
import type { Link } from './channel-messages'
import { errorName } from './error-name'
import { type ClientMessage, decodeFrame, encodeText } from './frames'
import { joinChannel } from './join-channel'
import { type JoinConfig, parseJoin } from './join-config'
import { JoinError } from './join-error'
import type { Claims } from './tokens'

/** Codes of RFC 6455, section 7.4.1. */
const CLOSE = { protocolError: 1002, policyViolation: 1008 } as const

/** How many times the allowed messages per second cut the connection. */
const FLOOD = 10

/** A client's WebSocket. */
export interface Connection {
  /** When the client was last heard, in milliseconds of the clock. */
  heardAt(): number
  /** When it was opened, on the same clock; null once a member has joined a channel on it. */
  strangeSince(): number | null
  /** Cuts it, as a lost network would. */
  cut(): void
  /** Closes it because its address has too many connections. */
  evict(): void
}

export interface ConnectionOptions {
  socket: WebSocket
  keyClaims: Claims
  /** Counts the connection as a member's. Returns false if the member has too many. */
  identify(member: string): boolean
}

/** Serves one client until its socket is closed. */
export function serveConnection(
  context: RealtimeContext,
  { socket, keyClaims, identify }: ConnectionOptions,
): Connection {
  const { limits, log } = context
  const channels = new Map<string, Channel>()
  const queues = new Map<string, { run: Exclusive; waiting: number }>()
  const waiting = { frames: 0, bytes: 0 }
  const perSecond = (limit: number) => createRateLimiter({ limit, windowMs: 1_000 })
  const messages = perSecond(limits.messagesPerSecond)
  const flood = perSecond(limits.messagesPerSecond * FLOOD)
  const joins = perSecond(limits.joinsPerSecond)
  const openedAt = Date.now()
  let heardAt = openedAt
  let isStranger = true
  const joining = new Set<JoinConfig>()

  const isOpen = () => socket.readyState === socket.OPEN
  const sendFrame = (frame: string | Buffer) => {
    if (!isOpen()) return
    // Who does not read for so long must begin anew and look for itself, rather than fill the server's memory.
    if (socket.bufferedAmount > limits.unsentBytes) socket.terminate()
    else socket.send(frame)
  }
  const link: Link = {
    sendFrame,
    send: (message) => sendFrame(encodeText(message)),
  }
  const reply = ({ joinRef, ref, topic }: ClientMessage, status: 'ok' | 'error', response: object = {}) =>
    link.send({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })

  const refuseJoin = (message: ClientMessage, reason: string) =>
    reply({ ...message, joinRef: message.ref }, 'error', { reason })

  const noteMember = (member: string | undefined) => {
    if (member === undefined || !isStranger) return
    isStranger = false
    if (!identify(member)) socket.close(CLOSE.policyViolation, 'Too many connections of this member')
  }

  /** Counts the joins under way too: several may wait for the database at once. */
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

  const join = async (message: ClientMessage) => {
    const { topic } = message
    channels.get(topic)?.close()
    let config: JoinConfig | null = null
    try {
      config = parseJoin(message.payload)
      refuseTooMany(config)
      joining.add(config)
      let channel: Channel | null = null
      const onGone = () => {
        if (channels.get(topic) === channel) channels.delete(topic)
      }
      channel = await joinChannel(context, link, message, { config, keyClaims, isOpen, onGone })
      if (channel?.isOpen()) channels.set(topic, channel)
      noteMember(channel?.member())
    } catch (error) {
      if (!(error instanceof JoinError)) log('error', `A join failed: ${errorName(error)}`)
      refuseJoin(message, error instanceof JoinError ? error.message : 'Unknown Error on Channel')
    } finally {
      if (config !== null) joining.delete(config)
    }
  }

  const handle = async (message: ClientMessage) => {
    if (!isOpen()) return
    if (message.event === 'phx_join' && message.topic.startsWith('realtime:')) return join(message)
    const channel = channels.get(message.topic)
    // A message of an earlier join of the topic is not for the present one.
    const isCurrent = message.joinRef === null || message.joinRef === channel?.joinRef
    if (message.event === 'phx_leave') {
      reply(message, 'ok')
      if (isCurrent) channel?.close()
      return
    }
    if (channel === undefined) return reply(message, 'error', { reason: 'unmatched topic' })
    if (isCurrent) await channel.handle(message)
  }

  /** In order within a topic; topics don't wait for each other. */
  const enqueue = (message: ClientMessage, bytes: number) => {
    waiting.frames += 1
    waiting.bytes += bytes
    if (waiting.frames > limits.waitingFrames || waiting.bytes > limits.waitingBytes) {
      return socket.close(CLOSE.policyViolation, 'Too many messages waiting')
    }
    const { topic } = message
    const queue = queues.get(topic) ?? { run: createMutex(), waiting: 0 }
    queues.set(topic, queue)
    queue.waiting += 1
    queue
      .run(() => handle(message))
      .catch((error) => log('error', `A realtime message could not be handled: ${errorName(error)}`))
      .finally(() => {
        waiting.frames -= 1
        waiting.bytes -= bytes
        queue.waiting -= 1
        if (queue.waiting === 0) queues.delete(topic)
      })
  }

  const receive = (data: RawData, isBinary: boolean) => {
    // Who is being closed may send on for a while: nothing of that counts.
    if (!isOpen()) return
    heardAt = Date.now()
    const frame = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)
    const message = decodeFrame(frame, isBinary)
    if (message === null) return socket.close(CLOSE.protocolError, 'Not a message of the protocol')
    if (flood.take() > 0) {
      return socket.close(CLOSE.policyViolation, 'Too many messages per second')
    }
    const isTooFast = messages.take() > 0
    if (message.topic === 'phoenix') {
      return message.event === 'heartbeat' ? reply(message, 'ok') : undefined
    }
    // Before they wait for the database, or a flood of them would fill the memory meanwhile.
    if (message.event === 'phx_join') {
      if (joins.take() > 0) {
        channels.get(message.topic)?.close()
        return refuseJoin(message, 'ClientJoinRateLimitReached: Too many joins per second')
      }
    } else if (isTooFast) {
      return channels.get(message.topic)?.shutDown('Too many messages per second')
    }
    enqueue(message, frame.length)
  }

  socket.on('message', receive)
  socket.on('close', () => {
    for (const channel of [...channels.values()]) channel.drop()
    channels.clear()
  })
  // ws closes the socket itself, with the code of the fault.
  socket.on('error', () => undefined)

  return {
    heardAt: () => heardAt,
    strangeSince: () => {
      for (const channel of channels.values()) noteMember(channel.member())
      return isStranger ? openedAt : null
    },
    cut: () => socket.terminate(),
    evict: () => {
      socket.close(CLOSE.policyViolation, 'Too many connections from this address')
    },
  }
}
