import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createAdaptorServer } from '@hono/node-server'
import { BackendError } from '#/backend/backend-error'
import { describeError } from '#/backend/log'
import { type Caller, callerKey } from './caller'
import { type ConnectionShare, createConnectionShares } from './connection-shares'
import { preflightResponse, withCors } from './cors'
import { createFairQueue } from './fair-queue'
import { type AccessRules, checkAccess } from './request-access'
import { busy, restError } from './rest-error'
import type { Share } from './shares'
import type { UnreadResponses } from './unread-responses'

/** Other devices must not reach the server: it has no TLS, and /config.json contains the passwords of the demo community. */
export const LISTEN_HOST = '127.0.0.1'

/** Long `in.(…)` lists are part of the URL; Node's default is 16 KB. */
const HEADER_BYTES_MAX = 64 * 1024

/** A client has to send its headers within this time. Until then, an idle client holds a connection. */
const HEADERS_MS = 20_000

/** A client has to send a whole request within this time. Until then, the body holds memory. */
const REQUEST_MS = 60_000

/**
 * An idle connection stays open for this long. Node's default of 5 seconds closes connections while a busy client is about to
 * use them, and only browsers repeat a POST that fails because of that.
 */
const KEEP_ALIVE_MS = 60_000

/** Open connections, without WebSockets, which their endpoint counts. Node itself has no limit. */
const CONNECTIONS = { total: 2_000, ofStrangers: 200, perMember: 100 }

/** Pipelined requests of one connection; beyond that it is closed. Browsers send one at a time. */
const PIPELINED_MAX = 8

/** Requests that wait to be started: as many as connections, each of which starts one at a time. */
const STARTING = { perCaller: CONNECTIONS.ofStrangers + CONNECTIONS.perMember, total: CONNECTIONS.total }

/** A client that reads nothing of its response for this long is disconnected. */
const WRITE_MS = 20_000

/** Handles a WebSocket handshake whose Host and Origin were already checked. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface HttpHostOptions {
  port: number
  access: AccessRules
  /** @param port the port that received the request */
  handle: (request: Request, caller: Caller, port: number) => Promise<Response>
  /** WebSocket endpoints by path, e.g. `/realtime/v1/websocket`. */
  upgrades: ReadonlyMap<string, UpgradeHandler>
  /** The member of an access token, or null if it is invalid or its session has ended. */
  memberOf: (token: string) => Promise<SignedIn | null>
  unread: UnreadResponses
  onError: (text: string) => void
}

export interface SignedIn {
  member: string
  session: string | undefined
}

interface HostConnection {
  share: ConnectionShare
  /** The member whose share the connection uses, and the token of the last request. */
  identified: (SignedIn & { token: string }) | null
  hasRequested: boolean
  /** Starts the requests that have no complete response yet, oldest first. */
  pipeline: (() => void)[]
}

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
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
  const { access, handle, memberOf, onError, unread, upgrades } = options
  const shares = createConnectionShares(CONNECTIONS)
  const connections = new Map<Duplex, HostConnection>()
  const starts = createFairQueue(STARTING)

  /** The member who sends this request, or null; 'refused' if the member has too many connections. */
  const identify = async ({ socket, headers }: IncomingMessage): Promise<string | null | 'refused'> => {
    const connection = connections.get(socket)
    const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
    if (connection === undefined || token === undefined) return null
    if (token === connection.identified?.token) return connection.identified.member
    const signedIn = await memberOf(token)
    if (signedIn === null) return null
    if (!connection.share.identify(signedIn.member)) return 'refused'
    connection.identified = { ...signedIn, token }
    return signedIn.member
  }

  /**
   * Resolves when the client has read the responses to its earlier requests, or when the connection is closed. A client
   * that does not read holds one response only.
   */
  const afterPrevious = ({ incoming, outgoing }: Exchange) =>
    new Promise<void>((resolve) => {
      const { socket } = incoming
      const pipeline = connections.get(socket)?.pipeline
      if (pipeline === undefined || socket.destroyed) return resolve()
      pipeline.push(resolve)
      outgoing.on('close', () => {
        pipeline.shift()
        pipeline[0]?.()
      })
      if (pipeline.length === 1) resolve()
      if (pipeline.length > PIPELINED_MAX) socket.destroy()
    })

  /** Whether a request may start. One starts per iteration of the event loop, so that a flood does not block it. */
  const start = async ({ socket }: IncomingMessage): Promise<boolean> => {
    const member = connections.get(socket)?.identified?.member ?? null
    const started = await starts({
      caller: callerKey(member),
      isGone: () => socket.destroyed,
      work: () => new Promise<true>((resolve) => setImmediate(resolve, true)),
    })
    return started === true
  }

  /** Reserves memory for the response until the client has read it. A larger number replaces an earlier one. */
  const reserveFor = ({ incoming, outgoing }: Exchange, member: string | null) => {
    const { socket } = incoming
    let key = callerKey(member)
    const take = (bytes: number) => unread.take({ key, disconnect: () => socket.destroy() }, bytes)
    let share: Share | null = null
    let reserved = 0
    let isStreamed = false
    outgoing.on('close', () => share?.free())
    return (bytes: number, streamedTo?: string): boolean => {
      if (share !== null && (isStreamed || bytes <= reserved)) return true
      if (streamedTo !== undefined) {
        isStreamed = true
        // Signed links are used without an access token.
        key = callerKey(streamedTo)
      }
      share?.free()
      const larger = take(bytes)
      share = larger ?? take(reserved)
      if (larger !== null) reserved = bytes
      if (outgoing.closed || socket.destroyed) share?.free()
      return larger !== null
    }
  }

  const respond = async (request: Request, exchange: Exchange): Promise<Response> => {
    const { incoming } = exchange
    const decision = checkAccess(incoming.headers.host, incoming.headers.origin, access)
    if (!decision.allowed) return Response.json({ message: decision.reason }, { status: 403 })
    const { crossOrigin } = decision
    const connection = connections.get(incoming.socket)
    if (connection !== undefined) connection.hasRequested = true
    const preflight = preflightResponse(request, crossOrigin)
    if (preflight !== null) return preflight
    const { socket } = incoming
    const { localPort = options.port } = socket
    try {
      const member = await identify(incoming)
      if (member === 'refused') return withCors(tooManyConnections(), crossOrigin)
      const reserve = reserveFor(exchange, member)
      const caller = { member, isGone: () => socket.destroyed, reserve }
      const response = await withContentLength(await handle(request, caller, localPort))
      const bytes = incoming.method === 'HEAD' ? 0 : Number(response.headers.get('content-length'))
      return withCors(reserve(bytes) ? response : busy(), crossOrigin)
    } catch (error) {
      // Clients that disconnect in the middle of a request must not fill the log.
      if (!socket.destroyed)
        onError(`${request.method} ${new URL(request.url).pathname} failed: ${describeError(error)}`)
      return withCors(restError(500, 'XX000', 'Something went wrong on the server.'), crossOrigin)
    }
  }

  const answer = async (request: Request, exchange: Exchange): Promise<Response> => {
    // A chunk may have a single byte and takes hundreds of bytes of memory.
    if (exchange.incoming.headers['transfer-encoding'] !== undefined) return lengthRequired()
    await afterPrevious(exchange)
    if (!(await start(exchange.incoming))) return busy()
    const response = await respond(request, exchange)
    // The timeout applies while no bytes flow; Node resets it with the next request.
    exchange.incoming.socket.setTimeout(WRITE_MS)
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
    const evict = () => {
      // A client retries automatically if a reused connection is closed.
      if (connections.get(socket)?.hasRequested === true) socket.destroy()
      else refuse(socket, '503 Service Unavailable')
    }
    const share = shares.admit(evict)
    if (share === null) return refuse(socket, '503 Service Unavailable')
    const pipeline: (() => void)[] = []
    connections.set(socket, { share, identified: null, hasRequested: false, pipeline })
    socket.on('close', () => {
      share.free()
      connections.delete(socket)
      // Node emits 'close' only for the response that is being written.
      for (const start of pipeline) start()
    })
  })

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node no longer listens for errors of this socket, and an unhandled one would end the process.
    socket.on('error', () => socket.destroy())
    // A refused client could keep its side of the connection open.
    socket.on('finish', () => socket.destroy())
    connections.get(socket)?.share.free()
    const decision = checkAccess(request.headers.host, request.headers.origin, access)
    const upgrade = upgrades.get((request.url ?? '').split('?', 1)[0] ?? '')
    if (decision.allowed && upgrade !== undefined) upgrade(request, socket, head)
    else refuse(socket, decision.allowed ? '404 Not Found' : '403 Forbidden')
  })

  const endSession = (session: string) => {
    for (const connection of connections.values()) {
      if (connection.identified?.session !== session) continue
      connection.identified = null
      connection.share.forget()
    }
  }

  await listen(server, options.port)
  return { port: (server.address() as AddressInfo).port, endSession, close: () => close(server) }
}

function refuse(socket: Socket, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
  socket.destroySoon()
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

function lengthRequired(): Response {
  return withClose(restError(411, 'PT411', 'The request has no content-length header'))
}

function tooManyConnections(): Response {
  const answer = restError(503, 'PT503', 'You have too many connections to this server')
  answer.headers.set('retry-after', '5')
  return withClose(answer)
}

/** Makes Node close the connection after this response. */
function withClose(answer: Response): Response {
  answer.headers.set('connection', 'close')
  return answer
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
    server.closeIdleConnections()
    // Busy connections get a moment to finish; keep-alive ones would delay the exit by seconds.
    setTimeout(() => server.closeAllConnections(), 1_000).unref()
  })
}
