import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextRound } from 'node:timers/promises'
import { createAdaptorServer, type HttpBindings as Exchange } from '@hono/node-server'
import { type Caller, callerKey, STRANGERS } from '#/backend/access/caller'
import { BackendError } from '#/backend/base/backend-error'
import { describeError } from '#/backend/base/log'
import { createPool, type Part } from '#/backend/base/pool'
import { createQueue, SkippedError } from '#/backend/base/queue'
import { UPLOAD_BODY_MAX } from '#/backend/objects/store-upload'
import { preflightResponse, withCors } from './cors'
import { type AccessRules, checkAccess } from './request-access'
import { restError } from './rest-error'

/** Other devices must not reach the server: it has no TLS, and /config.json contains the passwords of the demo community. */
export const LISTEN_HOST = '127.0.0.1'

/** Long `in.(…)` lists are part of the URL; Node's default is 16 KB. */
const HEADER_BYTES_MAX = 64 * 1024

/** Characters of the address of another request than REST's. Parsing its parameters takes longer than refusing it. */
const ADDRESS_CHARACTERS_MAX = 4_096

/** A client has to send its headers within this time. Until then, an idle client holds a connection. */
const HEADERS_MS = 20_000

/** A client has to send a whole request within this time. Until then, the body holds memory. */
const REQUEST_MS = 60_000

/**
 * An idle connection stays open for this long. Node's default of 5 seconds closes connections while a busy client is about to
 * use them, and only browsers repeat a POST that fails because of that.
 */
const KEEP_ALIVE_MS = 60_000

/** Open connections, WebSockets included: about 128 of one member. A browser has seven, six of them for requests. Node itself has no limit. */
const CONNECTIONS = { total: 1_000, own: 8, shared: 120 }

/** Bytes of responses that clients have not read yet. A row with the largest video fits. */
const UNREAD = { total: 32_000_000 }

/** Smaller responses are not counted. */
const COUNTED_BYTES = 64 * 1024

/** A client that reads nothing of its response for this long is disconnected. */
const WRITE_MS = 20_000

/** Who opened a WebSocket: a stranger until a member is known. */
export interface WebSocketCaller extends Pick<Caller, 'parseInTurn'> {
  /** Counts the connection for a member. */
  identify(signedIn: SignedIn): void
}

/** Handles a WebSocket handshake whose Host and Origin were already checked. */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  caller: WebSocketCaller,
) => void

export interface HttpHostOptions {
  port: number
  access: AccessRules
  /** @param port the port that received the request */
  handle: (request: Request, caller: Caller, port: number) => Promise<Response>
  /** WebSocket endpoints by path, e.g. `/realtime/v1/websocket`. */
  upgrades: ReadonlyMap<string, UpgradeHandler>
  /** The member of an access token, or null if it is invalid or its session has ended. */
  memberOf: (token: string) => Promise<SignedIn | null>
  onError: (text: string) => void
}

export interface SignedIn {
  member: string
  session: string | undefined
}

interface HostConnection extends Part {
  /** Its last request; null once that was answered, undefined before the first and of a WebSocket. */
  exchange?: Pick<Exchange, 'incoming' | 'outgoing'> | null | undefined
  /** The response before it, which may still be closing. */
  before?: Exchange['outgoing'] | undefined
  /** Of the member for whom it counts. */
  session?: string | undefined
}

export interface HttpHost {
  port: number
  /** Stops counting this session's connections for its member. */
  endSession(session: string): void
  /** Stops accepting requests, finishes the running ones and closes all connections. */
  close(): Promise<void>
}

/** Starts the HTTP server. Only requests with an allowed Host and Origin reach `handle`. */
export async function startHttpHost(options: HttpHostOptions): Promise<HttpHost> {
  const { access, handle, memberOf, onError, upgrades } = options
  const pool = createPool(CONNECTIONS)
  const unread = createPool(UNREAD)
  // Between two turns, requests of others are received.
  const turns = createQueue(undefined, nextRound)
  const connections = new Map<Duplex, HostConnection>()

  const count = (socket: Duplex, { member, session }: SignedIn) => {
    const connection = connections.get(socket)
    if (connection !== undefined) Object.assign(connection, { caller: callerKey(member), session })
  }

  /** The member who sends this request, or null. */
  const identify = async ({ socket, headers }: IncomingMessage): Promise<string | null> => {
    // Lite accepts a token with spaces around it too: its sender must not be a stranger here.
    const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
    const signedIn = token === undefined ? null : await memberOf(token)
    if (signedIn !== null) count(socket, signedIn)
    return signedIn?.member ?? null
  }

  /** Counts the memory of a response until the client has read it. Files are read in parts, or their memory is shared. */
  const hold = (response: Response, { incoming, outgoing }: Exchange, member: string | null) => {
    const bytes = Number(response.headers.get('content-length'))
    const isNotKept = incoming.method === 'HEAD' || response.headers.has('cache-control')
    if (bytes < COUNTED_BYTES || isNotKept) return
    const { socket } = incoming
    if (outgoing.closed || socket.destroyed) return
    const part = { caller: callerKey(member), amount: bytes, lose: () => void socket.destroy() }
    unread.take(part)
    outgoing.on('close', () => unread.free(part))
  }

  const respond = async (request: Request, exchange: Exchange): Promise<Response> => {
    const { socket, headers, url = '' } = exchange.incoming
    const decision = checkAccess(headers.host, headers.origin, access)
    if (!decision.allowed) return Response.json({ message: decision.reason }, { status: 403 })
    const { crossOrigin } = decision
    const preflight = preflightResponse(request, crossOrigin)
    if (preflight !== null) return preflight
    if (url.length > ADDRESS_CHARACTERS_MAX && !url.startsWith('/rest/'))
      return withCors(restError(414, 'PT414', 'The address of the request is too long'), crossOrigin)
    const { localPort = options.port } = socket
    try {
      const member = await identify(exchange.incoming)
      const isGone = () => socket.destroyed
      const caller: Caller = {
        member,
        isGone,
        disconnect: () => void socket.destroy(),
        parseInTurn: (work, kind = callerKey(member)) => turns(async () => work(), { caller: kind, isGone }),
      }
      const response = await withContentLength(await handle(request, caller, localPort))
      hold(response, exchange, member)
      return withCors(response, crossOrigin)
    } catch (error) {
      if (error instanceof SkippedError)
        return withCors(restError(503, 'PT503', 'The server is busy'), crossOrigin)
      // Clients that disconnect in the middle of a request must not fill the log.
      if (!socket.destroyed)
        onError(`${request.method} ${new URL(request.url).pathname} failed: ${describeError(error)}`)
      return withCors(restError(500, 'XX000', 'Something went wrong on the server.'), crossOrigin)
    }
  }

  const answer = async (request: Request, exchange: Exchange): Promise<Response> => {
    const { incoming } = exchange
    const before = connections.get(incoming.socket)?.before
    // The client may have read all of a response a moment before it is closed here.
    if (before !== undefined) await once(before, 'close')
    const response = await respond(request, exchange)
    // Node reads, and throws away, what nobody has read of a body.
    if (isBeyond(incoming)) response.headers.set('connection', 'close')
    // The timeout applies while no bytes flow; Node resets it with the next request.
    incoming.socket.setTimeout(WRITE_MS)
    return response
  }

  const server = createAdaptorServer({
    fetch: async (request, env) => withSafeHeaders(await answer(request, env as Exchange)),
    overrideGlobalObjects: false,
    serverOptions: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
  }) as Server<typeof IncomingMessage, typeof ServerResponse>

  server.on('connection', (socket: Socket) => {
    const lose = () => void socket.destroy()
    const connection: HostConnection = {
      caller: STRANGERS,
      amount: 1,
      lose,
      // A client that sends nothing or reads nothing, for as long as it likes, does not keep others from sending their request.
      get rank() {
        const { exchange } = connection
        if (exchange === null) return 0
        return exchange?.incoming.complete === true && !exchange.outgoing.headersSent ? 2 : 1
      },
    }
    readOneRequest(socket, connection)
    pool.take(connection)
    connections.set(socket, connection)
    socket.on('close', () => {
      pool.free(connection)
      connections.delete(socket)
    })
  })

  // Before it is read; some are answered without `fetch`, such as one without a valid address.
  server.prependListener('request', (incoming, outgoing) => {
    const connection = connections.get(incoming.socket)
    if (connection === undefined) return
    const exchange = { incoming, outgoing }
    connection.before = connection.exchange?.outgoing
    connection.exchange = exchange
    outgoing.on('close', () => {
      if (connection.exchange === exchange) connection.exchange = null
    })
  })

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node no longer listens for errors of this socket, and an unhandled one would end the process.
    socket.on('error', () => socket.destroy())
    // A refused client could keep its side of the connection open.
    socket.on('finish', () => socket.destroy())
    const decision = checkAccess(request.headers.host, request.headers.origin, access)
    const upgrade = upgrades.get((request.url ?? '').split('?', 1)[0] ?? '')
    const connection = connections.get(socket)
    if (!decision.allowed) return refuse(socket, '403 Forbidden', decision.reason)
    if ((request.url ?? '').length > ADDRESS_CHARACTERS_MAX)
      return refuse(socket, '414 URI Too Long', 'The address of the request is too long')
    if (connection === undefined || upgrade === undefined) return refuse(socket, '404 Not Found', 'Not found')
    connection.exchange = undefined
    upgrade(request, socket, head, {
      identify: (signedIn) => count(socket, signedIn),
      // The first join, which says who it is, waits for no requests of strangers.
      parseInTurn: (work, kind = connection.caller === STRANGERS ? 'live channels' : connection.caller) =>
        turns(async () => work(), { caller: kind, isGone: () => socket.destroyed }),
    })
  })

  const endSession = (session: string) => {
    for (const connection of connections.values())
      if (connection.session === session) connection.caller = STRANGERS
  }

  await listen(server, options.port)
  return { port: (server.address() as AddressInfo).port, endSession, close: () => close(server) }
}

/** Answers a request with an error, e.g. `401 Unauthorized`, and closes the connection. */
export function refuse(socket: Duplex, status: string, message: string): void {
  const body = JSON.stringify({ message })
  const headers = [
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`)
}

/** Adds the content-length header if it is missing. */
async function withContentLength(response: Response): Promise<Response> {
  if (response.body === null || response.headers.has('content-length')) return response
  const body = await response.arrayBuffer()
  const headers = new Headers(response.headers)
  headers.set('content-length', String(body.byteLength))
  return new Response(body, { status: response.status, headers })
}

/** Files, pages and stored objects have their own rule; everything else contains members' data or an error. */
function withSafeHeaders(response: Response): Response {
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
  // A browser that opens it directly must not render a text of a member as a page.
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}

/** Whether the request has a body that is never read: of a method without one, or larger than an upload. */
function isBeyond({ method = '', headers }: IncomingMessage): boolean {
  const bytes = Number(headers['content-length'] ?? 0)
  return bytes > (['GET', 'HEAD', 'OPTIONS'].includes(method) ? 0 : UPLOAD_BODY_MAX)
}

/**
 * Node's parser calls `onIncoming` for each request, and reads nothing behind one for which it returns 2.
 * Closes a connection at the first request that arrives while another is being answered. Clients send one at a time; one that does not
 * read would collect responses, and Node makes objects of all requests that arrived together: 30 ms for 64 KB, in nobody's turn.
 * Refuses a chunked body before its first chunk is read, unless the refusal would get into a response that is still being sent: a chunk
 * of one byte takes the time of a large one, and hundreds of bytes.
 * Written for Node 20 to 24; a test counts the requests.
 */
function readOneRequest(socket: Socket, connection: HostConnection): void {
  type OnIncoming = (request: IncomingMessage, keepsAlive: boolean) => number
  const { parser } = socket as Socket & { parser: { onIncoming: OnIncoming } }
  const { onIncoming } = parser
  let isLast = false
  parser.onIncoming = (...request) => {
    const before = connection.exchange
    const isChunked = request[0].headers['transfer-encoding'] !== undefined
    if (isLast || before?.outgoing.headersSent === false || (isChunked && before)) {
      socket.destroy()
      return 2
    }
    if (isChunked) refuse(socket, '411 Length Required', 'The request has no content-length header')
    const result = isChunked ? 2 : onIncoming(...request)
    // Node itself answers some, such as one without a host.
    isLast = connection.exchange === before
    return result
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE' || error.code === 'EACCES'
      reject(isInUse ? new BackendError('port', `Port ${port} is already in use.`, { cause: error }) : error)
    })
    server.listen(port, LISTEN_HOST, () => resolve())
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    // Busy connections get a moment to finish; keep-alive ones would delay the exit by seconds.
    setTimeout(() => server.closeAllConnections(), 1_000).unref()
  })
}
