import type { RawData, WebSocket } from 'ws'
import { type Claims, TokenError } from '#/backend/access/tokens'
import { createQueue, SkippedError } from '#/backend/base/queue'
import { createRateLimiter } from '#/backend/base/rate-limiter'
import { loggableError } from '#/backend/database/database-error'
import type { WebSocketCaller } from '#/backend/http/http-host'
import { type Channel, openChannel, type RealtimeContext, subTopic } from './channel'
import { NO_RIGHTS } from './channel-rights'
import { type ClientMessage, decodeFrame, encodeText } from './frames'
import { type JoinConfig, JoinError, parseJoin } from './join'
import { SERVED_CHANNELS } from './served'

/** Codes of RFC 6455, section 7.4.1. */
const CLOSE = { protocolError: 1002, policyViolation: 1008, tryAgainLater: 1013 } as const

/** A longer frame waits for its turn before it is parsed. Heartbeats are shorter, and are answered while earlier frames wait. */
const HEARTBEAT_BYTES_MAX = 128

type Address = Pick<ClientMessage, 'joinRef' | 'ref' | 'topic'>
type JoinAddress = Pick<ClientMessage, 'ref' | 'topic'>

/** A client's WebSocket. */
export interface Connection {
  channels(): Channel[]
  /** Closes the socket without a closing handshake. */
  terminate(): void
}

export interface ConnectionOptions {
  socket: WebSocket
  keyClaims: Claims
  caller: WebSocketCaller
}

/** Serves one client until its socket is closed. */
export function serveConnection(
  context: RealtimeContext,
  { socket, keyClaims, caller }: ConnectionOptions,
): Connection {
  const { limits, log, tokens } = context
  const channels = new Map<string, Channel>()
  /** Messages are handled one at a time, so that those of a topic stay in order and pending joins do not add up. */
  const inOrder = createQueue()
  const waiting = { frames: 0, bytes: 0 }
  const perSecond = (limit: number) => createRateLimiter({ limit, windowMs: 1_000 })
  const messages = perSecond(limits.messagesPerSecond)
  const received = perSecond(limits.bytesPerSecond)

  const isOpen = () => socket.readyState === socket.OPEN
  const sendFrame = (frame: string | Buffer) => {
    if (!isOpen()) return
    // A client that does not read has to reconnect and refetch, because its messages would fill the server's memory.
    if (socket.bufferedAmount > limits.unsentBytes) socket.terminate()
    else socket.send(frame)
  }
  /** Closes the connection and stops reading. `ws` destroys the socket after `closeTimeout`. */
  const disconnect = (code: number, reason: string) => {
    socket.close(code, reason)
    socket.pause()
  }
  const reply = ({ joinRef, ref, topic }: Address, status: 'ok' | 'error', response: object = {}) =>
    sendFrame(encodeText({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } }))

  const refuseJoin = (to: JoinAddress, error: unknown) => {
    if (!isOpen()) return
    const isRefusal = error instanceof JoinError
    if (!isRefusal) log('error', `A join failed: ${loggableError(error)}`)
    const reason = isRefusal ? error.message : 'Unknown Error on Channel'
    reply({ ...to, joinRef: to.ref }, 'error', { reason })
  }

  const claimsOf = async ({ accessToken }: JoinConfig): Promise<Claims> => {
    if (accessToken === null || accessToken.startsWith('sb_')) return keyClaims
    try {
      return await tokens.verify(accessToken)
    } catch (cause) {
      throw cause instanceof TokenError
        ? new JoinError(`InvalidJWTToken: ${cause.message}`, { cause })
        : cause
    }
  }

  const readRights = async (claims: Claims, topic: string) => {
    const isServed = SERVED_CHANNELS.topic.test(topic)
    const rights = isServed ? await context.readRights({ claims, topic, isGone: () => !isOpen() }) : NO_RIGHTS
    if (rights.broadcast.read || rights.presence.read) return rights
    throw new JoinError(`Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`)
  }

  /** Parses a join before it waits, because a raw payload takes many times its size in memory. */
  const join = ({ topic, ref, payload }: ClientMessage): Promise<void> | void => {
    channels.get(topic)?.close()
    try {
      if (subTopic(topic) === '') throw new JoinError('TopicNameRequired: You must provide a topic name')
      const config = parseJoin(payload)
      if (channels.size >= limits.channelsPerConnection) {
        throw new JoinError('ChannelRateLimitReached: Too many channels')
      }
      return admit({ topic, ref }, config).catch((error) => refuseJoin({ topic, ref }, error))
    } catch (error) {
      refuseJoin({ topic, ref }, error)
    }
  }

  const admit = async (to: JoinAddress, config: JoinConfig) => {
    const { topic, ref } = to
    const claims = await claimsOf(config)
    if (!isOpen()) return
    if (claims.sub !== undefined) caller.identify({ member: claims.sub, session: claims.session_id })
    if (config.subscriptions.length > 0 && (claims.role !== 'authenticated' || claims.sub === undefined)) {
      throw new JoinError('Unauthorized: Only members can subscribe to changes')
    }
    // Read last, so that the rights cannot change before the channel is opened.
    const rights = config.isPrivate ? await readRights(claims, subTopic(topic)) : NO_RIGHTS
    if (!isOpen()) return
    const admission = { joinRef: ref, topic, config, claims, rights }
    channels.set(
      topic,
      openChannel(context, sendFrame, admission, () => channels.delete(topic)),
    )
  }

  const answerHeartbeat = (message: ClientMessage) => {
    if (message.event === 'heartbeat') reply(message, 'ok')
  }

  const handle = (message: ClientMessage | null): Promise<void> | void => {
    if (!isOpen()) return
    if (message === null) return disconnect(CLOSE.protocolError, 'Not a message of the protocol')
    if (message.topic === 'phoenix') return answerHeartbeat(message)
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

  const enqueue = (data: Buffer, isBinary: boolean) => {
    const bytes = data.length
    waiting.frames += 1
    waiting.bytes += bytes
    if (waiting.frames > limits.waitingFrames || waiting.bytes > limits.waitingBytes) {
      return disconnect(CLOSE.policyViolation, 'Too many messages waiting')
    }
    // A copy, because a received frame may be a small part of a larger buffer.
    const copy = Buffer.allocUnsafeSlow(bytes)
    data.copy(copy)
    // Its turn ends before the database is asked.
    const start = () => ({ handled: handle(decodeFrame(copy, isBinary)) })
    // Frames of a closed connection take no turns.
    inOrder(async () => (await caller.parseInTurn(start)).handled, { isGone: () => !isOpen() })
      .catch((error) => {
        if (error instanceof SkippedError) return disconnect(CLOSE.tryAgainLater, 'The server is busy')
        log('error', `A realtime message could not be handled: ${loggableError(error)}`)
      })
      .finally(() => {
        waiting.frames -= 1
        waiting.bytes -= bytes
      })
  }

  /** Counts a frame before it is parsed. Disconnects the client, and returns true, if it sends too much. */
  const isFlooding = (data: Buffer): boolean => {
    if (messages.take() === 0 && received.take('', data.length) === 0) return false
    disconnect(CLOSE.policyViolation, 'Too many messages per second')
    return true
  }

  const receive = (frame: RawData, isBinary: boolean) => {
    // A client may continue to send while its connection closes.
    if (!isOpen()) return
    // `binaryType` is ws's default.
    const data = frame as Buffer
    if (isFlooding(data)) return
    const short = data.length > HEARTBEAT_BYTES_MAX ? null : decodeFrame(data, isBinary)
    if (short?.topic === 'phoenix') answerHeartbeat(short)
    else enqueue(data, isBinary)
  }

  socket.on('message', receive)
  for (const event of ['ping', 'pong'] as const) {
    socket.on(event, (data) => {
      if (isOpen()) isFlooding(data)
    })
  }
  socket.on('close', () => {
    for (const channel of [...channels.values()]) channel.drop()
  })
  // ws closes the socket with the matching code.
  socket.on('error', () => undefined)

  return {
    channels: () => [...channels.values()],
    terminate: () => socket.terminate(),
  }
}
