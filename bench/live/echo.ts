import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Methods } from '../lib/child'

export interface EchoMethods extends Methods {
  start: { params: null; result: { url: string } }
}

let server: WebSocketServer | null = null

export const handlers = {
  /** Starts a WebSocket server that relays each message to all other clients: the minimum for a chat. */
  start: async (): Promise<EchoMethods['start']['result']> => {
    const echo = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
    server = echo
    echo.on('connection', (socket) => {
      socket.on('message', (data, isBinary) => {
        for (const other of echo.clients) if (other !== socket) other.send(data, { binary: isBinary })
      })
    })
    await once(echo, 'listening')
    return { url: `ws://127.0.0.1:${(echo.address() as AddressInfo).port}` }
  },
}

export async function close(): Promise<void> {
  for (const socket of server?.clients ?? []) socket.terminate()
  server?.close()
}
