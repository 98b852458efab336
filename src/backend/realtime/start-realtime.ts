import { WebSocketServer } from 'ws'
import * as z from 'zod'
import type { LiveSessions } from '#/backend/access/live-sessions'
import type { Tokens } from '#/backend/access/tokens'
import type { BackendLog } from '#/backend/base/log'
import type { Exclusive } from '#/backend/base/queue'
import { createRateLimiter } from '#/backend/base/rate-limiter'
import { loggableError } from '#/backend/database/database-error'
import type { Listen, Session } from '#/backend/database/queries'
import { BROADCASTS_CHANNEL, RIGHTS_CHANNEL } from '#/backend/database/setup-realtime'
import { refuse, type UpgradeHandler } from '#/backend/http/http-host'
import type { Channel, RealtimeContext } from './channel'
import { createRightsReader, rightsChangeSchema } from './channel-rights'
import { commentsSchema, createHiddenReader } from './comment-readers'
import { type Connection, serveConnection } from './connection'
import { type BroadcastContent, PROTOCOL_VERSION } from './frames'
import { DEFAULT_LIMITS, type RealtimeLimits } from './limits'
import { createRowsReader, newRowsSchema } from './new-rows'
import { createRooms } from './rooms'

/**
 * Limits the parts of an incomplete message, because each part takes far more memory than its bytes. Clients send a message
 * in one or a few fragments.
 */
const PARTS = { maxFragments: 64, maxBufferedChunks: 1_024 } as const

/** In milliseconds. A client that neither reads nor responds could keep a closing connection longer. */
const CLOSING = { closeTimeout: 500 } as const

const SWEEP_MS = 1_000

const COMMENTS_PER_QUERY = 100

const broadcastSchema = z.object({
  id: z.string(),
  topic: z.string(),
  event: z.string(),
  payload: z.unknown(),
})

/** The path of supabase-js's WebSocket. */
export const REALTIME_PATH = '/realtime/v1/websocket'

export interface RealtimeOptions {
  /** A database with SETUP_SQL and all migrations applied. */
  pg: Session
  exclusive: Exclusive
  listen: Listen
  tokens: Tokens
  sessions: Pick<LiveSessions, 'onEnd'>
  log: BackendLog
  limits?: Partial<RealtimeLimits>
}

export interface Realtime {
  /** Handles REALTIME_PATH of the HTTP host, which has checked Host and Origin. */
  upgrade: UpgradeHandler
  /** Resolves when all changes so far have been delivered and all rights that they affect rechecked. */
  settled(): Promise<void>
  /** Terminates all connections, so that clients rejoin and refetch. */
  terminateAll(): void
  /** Terminates all connections and stops listening. */
  close(): Promise<void>
}

/** The part of Supabase's Realtime that supabase-js uses, on the embedded database (docs/decisions/0032). */
export function startRealtime(options: RealtimeOptions): Realtime {
  const { pg, exclusive, tokens, sessions, log } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const rooms = createRooms()
  const context: RealtimeContext = {
    tokens,
    rooms,
    limits,
    readRights: createRightsReader(pg, exclusive),
    readRows: createRowsReader(pg, exclusive),
    sends: createRateLimiter({ limit: limits.sendsPerSecond, windowMs: 1_000 }),
    log,
  }

  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
    ...PARTS,
    ...CLOSING,
  })
  const connections = new Set<Connection>()

  /** Work that notifications of the database have started. */
  const running = new Set<Promise<void>>()
  const run = (work: Promise<void>) => {
    const task = work.finally(() => running.delete(task))
    running.add(task)
  }
  const channelsWhere = (isWanted: (channel: Channel) => boolean): Channel[] =>
    [...connections].flatMap((connection) => connection.channels()).filter(isWanted)

  const readHidden = createHiddenReader(pg, exclusive)
  const waiting: { topic: string; author: string; content: BroadcastContent }[] = []
  let isSending = false
  /** Sends comments to the members in their post's channel who see their author. Asks for many at once, because one statement can have many. */
  const sendComments = async () => {
    isSending = true
    while (waiting.length > 0) {
      const some = waiting.splice(0, COMMENTS_PER_QUERY)
      const members = new Set(some.flatMap(({ topic }) => rooms.members(topic)))
      if (members.size === 0) continue
      try {
        const hidden = await readHidden(
          some.map(({ author }) => author),
          members,
        )
        for (const { topic, author, content } of some) {
          const sees = (member: string) => members.has(member) && !hidden.has(`${author} ${member}`)
          rooms.broadcast(topic, content, ({ member }) => sees(member))
        }
      } catch (error) {
        log('warn', `The readers of comments could not be found: ${loggableError(error)}`)
        const deleted = some.map(({ topic }) => topic)
        for (const channel of channelsWhere((one) => one.isConcerned({ deleted }))) channel.fail()
      }
    }
    isSending = false
  }
  const onBroadcast = (text: string) => {
    const { id, topic, event, payload } = broadcastSchema.parse(JSON.parse(text))
    const { data: comments } = commentsSchema.safeParse(payload)
    if (comments !== undefined) {
      const { author, ...told } = comments
      waiting.push({ topic, author, content: { id, event, bytes: Buffer.from(JSON.stringify(told)) } })
      if (!isSending) run(sendComments())
      return
    }
    rooms.broadcast(topic, { id, event, bytes: Buffer.from(JSON.stringify(payload)) })
    const { data: rows } = newRowsSchema.safeParse(payload)
    if (rows === undefined) return
    for (const channel of channelsWhere((one) => topic === `member:${one.claims().sub}`))
      run(channel.sendNewRows(rows))
  }
  const onRightsChange = (text: string) => {
    const change = rightsChangeSchema.parse(JSON.parse(text))
    for (const channel of channelsWhere((one) => one.isConcerned(change))) {
      if (change.deleted === undefined) run(channel.recheckRights())
      else channel.revoke()
    }
  }
  let isClosed = false
  const listen = (channel: string, listener: (text: string) => void) =>
    options.listen(channel, (text) => {
      if (!isClosed) listener(text)
    })
  listen(BROADCASTS_CHANNEL, onBroadcast)
  listen(RIGHTS_CHANNEL, onRightsChange)

  const upgrade: UpgradeHandler = (request, socket, head, caller) => {
    if (isClosed) return refuse(socket, '503 Service Unavailable', 'Realtime is restarting, please standby')
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const keyClaims = tokens.claimsForKey(searchParams.get('apikey'))
    if (keyClaims === null) return refuse(socket, '401 Unauthorized', 'Invalid API key')
    if (socket.destroyed) return
    if (searchParams.get('vsn') !== PROTOCOL_VERSION)
      return refuse(socket, '400 Bad Request', 'Unsupported serializer version')
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const opened = serveConnection(context, { socket: webSocket, keyClaims, caller })
      connections.add(opened)
      webSocket.on('close', () => connections.delete(opened))
    })
  }

  sessions.onEnd((session) => {
    for (const channel of channelsWhere((one) => one.claims().session_id === session)) channel.endSession()
  })

  const sweep = setInterval(() => {
    for (const channel of channelsWhere(() => true)) channel.closeIfExpired(Date.now())
  }, SWEEP_MS).unref()

  const terminateAll = () => {
    for (const connection of connections) connection.terminate()
  }

  return {
    upgrade,
    terminateAll,
    settled: async () => {
      await Promise.all(running)
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      terminateAll()
      await Promise.all(running)
    },
  }
}
