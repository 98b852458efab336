import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServerAddress } from '#/shared/server'
import type { TestServer } from './server'

/** A Supabase on another origin, as a hosted one is to the app. */
export interface RemoteServer extends ServerAddress {
  close(): Promise<void>
}

/** Handles a request instead of the server; null to pass it on. */
type Instead = (path: string) => { status: number; json: unknown } | null

/**
 * Serves a test server's Supabase interfaces on another origin. Unlike the embedded server, which only answers its own
 * page, it allows every origin, as hosted Supabase does.
 */
export async function startRemoteServer(
  behind: TestServer,
  instead: Instead = () => null,
): Promise<RemoteServer> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    allowAnyOrigin(incoming, outgoing)
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204).end()
    const answer = instead(path)
    if (answer !== null) {
      outgoing.writeHead(answer.status, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify(answer.json))
      return
    }
    passOn(behind, incoming, outgoing)
  })
  server.on('upgrade', (incoming, socket, head) => passUpgradeOn(behind, incoming, socket, head))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // Those of WebSockets too, which the server no longer counts as its own.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    publishableKey: behind.info.publishableKey,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function allowAnyOrigin(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.setHeader('access-control-allow-origin', '*')
  outgoing.setHeader('access-control-expose-headers', '*')
  outgoing.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
  const wanted = incoming.headers['access-control-request-headers']
  if (wanted !== undefined) outgoing.setHeader('access-control-allow-headers', wanted)
}

function passOn(behind: TestServer, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { origin: _origin, referer: _referer, ...headers } = incoming.headers
  const target = new URL(incoming.url ?? '/', behind.url)
  const forwarded = request(target, {
    method: incoming.method ?? 'GET',
    headers: { ...headers, host: target.host },
  })
  forwarded.on('response', (answer) => {
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !name.startsWith('access-control-')) outgoing.setHeader(name, value)
    }
    outgoing.writeHead(answer.statusCode ?? 502)
    answer.pipe(outgoing)
  })
  forwarded.on('error', () => outgoing.destroy())
  incoming.pipe(forwarded)
}

/** A WebSocket: forwards the response to the handshake, then bytes in both directions. */
function passUpgradeOn(behind: TestServer, incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { origin: _origin, ...headers } = incoming.headers
  const target = new URL(incoming.url ?? '/', behind.url)
  const forwarded = request(target, { headers: { ...headers, host: target.host } })
  const give = (answer: IncomingMessage): void => {
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
    const first = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`
    socket.write(`${[first, ...lines].join('\r\n')}\r\n\r\n`)
  }
  forwarded.on('upgrade', (answer, upstream, rest) => {
    give(answer)
    socket.write(rest)
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
    upstream.on('error', () => socket.destroy())
  })
  forwarded.on('response', (answer) => {
    give(answer)
    answer.pipe(socket)
  })
  forwarded.on('error', () => socket.destroy())
  socket.on('error', () => forwarded.destroy())
  forwarded.end()
}
