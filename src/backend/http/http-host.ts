import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createAdaptorServer } from '@hono/node-server'
import { BackendError } from '#/backend/backend-error'
import { describeError } from '#/backend/log'
import { type Caller, turnKey } from './caller'
import { type ConnectionShare, createConnectionShares } from './connection-shares'
import { preflight, withCors } from './cors'
import { createFairLane } from './fair-lane'
import { type AccessRules, checkAccess } from './request-access'
import { busy, restRefusal } from './rest-refusal'
import type { UnreadResponses } from './unread-responses'

/** Long `in.(…)` lists travel in the request line; Node's own limit is 16 KB. */
const HEADER_BYTES_MAX = 64 * 1024

/** How long a client may take to send its headers, in milliseconds; whoever sends nothing holds a connection so long. */
const HEADERS_MS = 20_000

/** How long a client may take to send a whole request, in milliseconds: it holds memory for the body meanwhile. */
const REQUEST_MS = 60_000

/** Open connections; WebSockets are counted by their endpoint instead. Node has no limit but the system's open files. */
const CONNECTIONS = { total: 2_000, perAddress: 200, perMember: 100 }

/** Requests of one connection without a response; beyond that it is closed. Browsers send one at a time. */
const PIPELINED_MAX = 8

/** Requests that wait to be started: no more than connections, which start one at a time. */
const STARTING = { perCaller: CONNECTIONS.perAddress + CONNECTIONS.perMember, total: CONNECTIONS.total }

/** A client that reads nothing of its response for this long, in milliseconds, is disconnected. */
const WRITE_MS = 20_000

/** Takes over a WebSocket handshake whose Host and Origin were already checked. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface HttpHostOptions {
  port: number
  access: AccessRules
  /** `port` is the one listened on. */
  handle: (request: Request, caller: Caller, port: number) => Promise<Response>
  /** WebSocket endpoints by path, e.g. `/realtime/v1/websocket`; any other handshake is refused. */
  upgrades: ReadonlyMap<string, UpgradeHandler>
  /** The member whose access token this is, or null if it is nobody's or its session has ended. */
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
  /** The member it counts for, and the token of the last request. */
  identified: (SignedIn & { token: string }) | null
  hasRequested: boolean
  /** Its requests that have no complete response yet, oldest first: the functions that start them. */
  unanswered: (() => void)[]
}

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

export interface HttpHost {
  port: number
  /** Stops counting the connections of this session as its member's. */
  endSession(session: string): void
  /** Takes no new requests, finishes those under way and closes every connection. */
  close(): Promise<void>
}

/** Listens, and lets nothing through to `handle` that comes under a foreign Host or from a foreign Origin. */
export async function startHttpHost(options: HttpHostOptions): Promise<HttpHost> {
  const { access, handle, memberOf, onError, unread, upgrades } = options
  const shares = createConnectionShares(CONNECTIONS)
  const connections = new Map<Duplex, HostConnection>()
  const starts = createFairLane(STARTING)

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
   * Resolves when the responses to the connection's earlier requests have been read, so that a client that does not
   * read holds one response and one turn, or when the connection is closed.
   */
  const afterEarlier = ({ incoming, outgoing }: Exchange) =>
    new Promise<void>((resolve) => {
      const { socket } = incoming
      const unanswered = connections.get(socket)?.unanswered
      if (unanswered === undefined || socket.destroyed) return resolve()
      unanswered.push(resolve)
      outgoing.on('close', () => {
        unanswered.shift()
        unanswered[0]?.()
      })
      if (unanswered.length === 1) resolve()
      if (unanswered.length > PIPELINED_MAX) socket.destroy()
    })

  /** Whether a request may start: one per turn of the event loop, so that refusing a flood does not fill it. */
  const start = async ({ socket }: IncomingMessage): Promise<boolean> => {
    const member = connections.get(socket)?.identified?.member ?? null
    const started = await starts({
      caller: turnKey({ address: socket.remoteAddress ?? '', member }),
      isGone: () => socket.destroyed,
      work: () => new Promise<true>((go) => setImmediate(go, true)),
    })
    return started === true
  }

  /** Takes memory for the response to this request, once, until the response has been read. */
  const reserveFor = ({ incoming, outgoing }: Exchange, member: string | null) => {
    const { socket } = incoming
    let isReserved = false
    return (bytes: number): boolean => {
      if (isReserved) return true
      const key = turnKey({ address: socket.remoteAddress ?? '', member })
      const share = unread.take({ key, cut: () => socket.destroy() }, bytes)
      if (share === null) return false
      isReserved = true
      outgoing.on('close', share.free)
      if (outgoing.closed || socket.destroyed) share.free()
      return true
    }
  }

  const answer = async (request: Request, exchange: Exchange): Promise<Response> => {
    const { incoming } = exchange
    const verdict = checkAccess(incoming.headers.host, incoming.headers.origin, access)
    if (!verdict.allowed) return Response.json({ message: verdict.reason }, { status: 403 })
    const connection = connections.get(incoming.socket)
    if (connection !== undefined) connection.hasRequested = true
    const early = preflight(request, verdict.crossOrigin)
    if (early !== null) return early
    const { socket } = incoming
    const { remoteAddress: address = '', localPort = options.port } = socket
    try {
      const member = await identify(incoming)
      if (member === 'refused') return withCors(tooManyConnections(), verdict.crossOrigin)
      const reserve = reserveFor(exchange, member)
      const caller = { address, member, isGone: () => socket.destroyed, reserve }
      const response = await withLength(await handle(request, caller, localPort))
      const bytes = incoming.method === 'HEAD' ? 0 : Number(response.headers.get('content-length'))
      return withCors(reserve(bytes) ? response : busy(), verdict.crossOrigin)
    } catch (error) {
      // A client that disconnects in the middle of its request could otherwise fill the log.
      if (!socket.destroyed)
        onError(`${request.method} ${new URL(request.url).pathname} failed: ${describeError(error)}`)
      return withCors(restRefusal(500, 'XX000', 'Something went wrong on the server.'), verdict.crossOrigin)
    }
  }

  const server = createAdaptorServer({
    fetch: async (request, env) => {
      const exchange = env as Exchange
      // Each byte can be a chunk of its own, which takes hundreds of bytes of memory.
      if (exchange.incoming.headers['transfer-encoding'] !== undefined) return lengthRequired()
      await afterEarlier(exchange)
      if (!(await start(exchange.incoming))) return busy()
      const response = await answer(request, exchange)
      // Node calls no timeout while bytes flow, and resets it with the next request.
      exchange.incoming.socket.setTimeout(WRITE_MS)
      return response
    },
    overrideGlobalObjects: false,
    serverOptions: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
    },
  }) as Server<typeof IncomingMessage, typeof ServerResponse>

  server.on('connection', (socket: Socket) => {
    const evict = () => {
      // A client that reuses a connection sends the request again by itself if the connection is closed.
      if (connections.get(socket)?.hasRequested === true) socket.destroy()
      else refuse(socket, '503 Service Unavailable')
    }
    const share = shares.admit(socket.remoteAddress ?? '', evict)
    if (share === null) return refuse(socket, '503 Service Unavailable')
    const unanswered: (() => void)[] = []
    connections.set(socket, { share, identified: null, hasRequested: false, unanswered })
    socket.on('close', () => {
      share.free()
      connections.delete(socket)
      // Node closes only the response that is being written.
      for (const start of unanswered) start()
    })
  })

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node no longer listens for errors of this socket, and one that nobody listens for ends the process.
    socket.on('error', () => socket.destroy())
    // A refused client could keep its side open for ever.
    socket.on('finish', () => socket.destroy())
    connections.get(socket)?.share.free()
    const verdict = checkAccess(request.headers.host, request.headers.origin, access)
    const upgrade = upgrades.get((request.url ?? '').split('?', 1)[0] ?? '')
    if (verdict.allowed && upgrade !== undefined) upgrade(request, socket, head)
    else refuse(socket, verdict.allowed ? '404 Not Found' : '403 Forbidden')
  })

  const endSession = (session: string) => {
    for (const connection of connections.values()) {
      if (connection.identified?.session !== session) continue
      connection.identified = null
      connection.share.forget()
    }
  }

  await listen(server, options.port, access.listenHost)
  return { port: (server.address() as AddressInfo).port, endSession, close: () => close(server) }
}

function refuse(socket: Socket, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
  socket.destroySoon()
}

/** A response whose length is known, as it is for most. */
async function withLength(response: Response): Promise<Response> {
  if (response.body === null || response.headers.has('content-length')) return response
  const body = await response.arrayBuffer()
  const headers = new Headers(response.headers)
  headers.set('content-length', String(body.byteLength))
  return new Response(body, { status: response.status, headers })
}

function lengthRequired(): Response {
  return withClose(restRefusal(411, 'PT411', 'The request does not say how long it is'))
}

function tooManyConnections(): Response {
  const answer = restRefusal(503, 'PT503', 'You have too many connections to this server')
  answer.headers.set('retry-after', '5')
  return withClose(answer)
}

/** The same response, after which the connection is closed. */
function withClose(answer: Response): Response {
  answer.headers.set('connection', 'close')
  return answer
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE' || error.code === 'EACCES'
      reject(isTaken ? new BackendError('port', `Port ${port} is already in use.`, { cause: error }) : error)
    })
    server.listen(port, host, () => resolve())
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    // Those still busy get a moment to finish; keep-alive ones would hold the process up for seconds.
    setTimeout(() => server.closeAllConnections(), 1_000).unref()
  })
}
