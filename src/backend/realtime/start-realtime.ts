import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Session } from '#/backend/database/queries'
import { createConnectionShares } from '#/backend/http/connection-shares'
import type { UpgradeHandler } from '#/backend/http/http-host'
import type { BackendLog } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import { createRateLimiter } from '#/backend/rate-limiter'
import { openChangeFeed } from './changes/change-feed'
import type { RealtimeContext } from './channel'
import { createRightsQuestion } from './channel-rights'
import { type Connection, serveConnection } from './connection'
import { forwardBroadcasts } from './database-broadcasts'
import { PROTOCOL_VERSION } from './frames'
import { DEFAULT_LIMITS, type RealtimeLimits } from './limits'
import type { LiveSessions } from './live-sessions'
import { openRightsWatch } from './rights-watch'
import { createRooms } from './rooms'
import type { Tokens } from './tokens'

/**
 * Parts of one incomplete message. Clients send a message as one fragment, or a few; each part that is kept takes far more
 * memory than its bytes.
 */
const PARTS = { maxFragments: 64, maxBufferedChunks: 1_024 } as const

/** How long a client that does not read may keep a connection that is being closed, in milliseconds. */
const CLOSING = { closeTimeout: 2_000 } as const

/** Where supabase-js opens its WebSocket. */
export const REALTIME_PATH = '/realtime/v1/websocket'

export interface RealtimeOptions {
  /** A database set up with SETUP_SQL and all migrations. */
  pg: Session
  exclusive: Exclusive
  tokens: Tokens
  sessions: Pick<LiveSessions, 'onEnd'>
  log: BackendLog
  limits?: Partial<RealtimeLimits>
}

export interface Realtime {
  /** For REALTIME_PATH of the HTTP host, which has looked at Host and Origin. */
  upgrade: UpgradeHandler
  /** Resolves when every change made so far has been told, and every channel it closes is closed. */
  settled(): Promise<void>
  /** Cuts all connections as a lost network would: clients join again and refetch. */
  cutAll(): void
  /** Cuts all connections, as a server that stops does. */
  close(): Promise<void>
}

/** Supabase's Realtime on the embedded database, as far as supabase-js uses it (docs/decisions/0032). */
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
    askRights: createRightsQuestion(pg, exclusive, limits.rightsWaiting),
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
    const keyClaims = context.tokens.ofKey(searchParams.get('apikey'))
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
    // Also of a handshake that ws refuses.
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
      const isSilent = connection.heardAt() < now - limits.silenceMs
      const strangeSince = connection.strangeSince()
      if (isSilent || (strangeSince !== null && strangeSince < now - limits.strangerMs)) connection.cut()
    }
  }, Math.min(limits.silenceMs, limits.strangerMs) / 4).unref()

  const cutAll = () => {
    for (const connection of connections) connection.cut()
  }

  return {
    upgrade,
    cutAll,
    settled: async () => {
      await context.feed.settled()
      await context.rightsWatch.settled()
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      cutAll()
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
