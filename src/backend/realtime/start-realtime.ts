import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Session } from '#/backend/database/queries'
import { createConnectionShares } from '#/backend/http/connection-shares'
import type { UpgradeHandler } from '#/backend/http/http-host'
import type { BackendLog } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import { createRateLimiter } from '#/backend/rate-limiter'
import { openChangeFeed } from './change-feed'
import type { RealtimeContext } from './channel'
import { createRightsReader } from './channel-rights'
import { type Connection, serveConnection } from './connection'
import { forwardBroadcasts } from './database-broadcasts'
import { PROTOCOL_VERSION } from './frames'
import { DEFAULT_LIMITS, type RealtimeLimits } from './limits'
import type { LiveSessions } from './live-sessions'
import { openRightsWatch } from './rights-watch'
import { createRooms } from './rooms'
import type { Tokens } from './tokens'

/**
 * Limits the parts of an incomplete message, because each part takes far more memory than its bytes. Clients send a message
 * in one or a few fragments.
 */
const PARTS = { maxFragments: 64, maxBufferedChunks: 1_024 } as const

/** In milliseconds. A client that does not read could keep a closing connection longer. */
const CLOSING = { closeTimeout: 2_000 } as const

/** The path of supabase-js's WebSocket. */
export const REALTIME_PATH = '/realtime/v1/websocket'

export interface RealtimeOptions {
  /** A database with SETUP_SQL and all migrations applied. */
  pg: Session
  exclusive: Exclusive
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
export async function startRealtime(options: RealtimeOptions): Promise<Realtime> {
  const { pg, exclusive, tokens, sessions, log } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const rooms = createRooms()
  const stopBroadcasts = await forwardBroadcasts(pg, exclusive, rooms)
  const context: RealtimeContext = {
    tokens,
    feed: await openChangeFeed({ pg, exclusive, log }),
    rooms,
    limits,
    readRights: createRightsReader(pg, exclusive, limits.rightsWaiting),
    rightsWatch: await openRightsWatch(pg, exclusive),
    broadcasts: createRateLimiter({ limit: limits.broadcastsPerSecond, windowMs: 1_000 }),
    presenceCalls: createRateLimiter({
      limit: limits.memberPresenceCalls,
      windowMs: limits.presenceWindowMs,
    }),
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
  const shares = createConnectionShares({
    total: limits.connections,
    perAddress: limits.connectionsPerAddress,
    perMember: limits.connectionsPerMember,
  })

  let isClosed = false
  const upgrade: UpgradeHandler = (request, socket, head) => {
    if (isClosed) return refuse(socket, '503 Service Unavailable', 'Realtime is restarting, please standby')
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const keyClaims = context.tokens.claimsForKey(searchParams.get('apikey'))
    if (keyClaims === null) return refuse(socket, '401 Unauthorized', 'Invalid API key')
    if (socket.destroyed) return
    if (searchParams.get('vsn') !== PROTOCOL_VERSION)
      return refuse(socket, '400 Bad Request', 'Unsupported serializer version')
    let connection: Connection | null = null
    const share = shares.admit(request.socket.remoteAddress ?? '', () => {
      connection?.evict()
      socket.end()
    })
    if (share === null) return refuse(socket, '503 Service Unavailable', 'Too many connected users')
    // Also if ws refuses the handshake.
    socket.on('close', share.free)
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const opened = serveConnection(context, {
        socket: webSocket,
        keyClaims,
        share,
      })
      connection = opened
      connections.add(opened)
      webSocket.on('close', () => connections.delete(opened))
    })
  }

  sessions.onEnd((session) => {
    for (const connection of connections) connection.endSession(session)
  })

  const sweep = setInterval(() => {
    const now = Date.now()
    for (const connection of connections) {
      const isIdle = connection.lastReceivedAt() < now - limits.idleMs
      const since = connection.unauthenticatedSince()
      if (isIdle || (since !== null && since < now - limits.unauthenticatedMs)) connection.terminate()
    }
  }, Math.min(limits.idleMs, limits.unauthenticatedMs) / 4).unref()

  const terminateAll = () => {
    for (const connection of connections) connection.terminate()
  }

  return {
    upgrade,
    terminateAll,
    settled: async () => {
      await context.feed.settled()
      await context.rightsWatch.settled()
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      terminateAll()
      await stopBroadcasts()
      await context.feed.close()
      await context.rightsWatch.close()
    },
  }
}

function refuse(socket: Duplex, status: string, message: string): void {
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
