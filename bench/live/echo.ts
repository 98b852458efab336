import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** What the bare echo can be asked. */
export interface EchoQuestions extends Record<string, { ask: unknown; answer: unknown }> {
  start: { ask: null; answer: { url: string } }
}

let server: WebSocketServer | null = null

export const serve = {
  /** Starts a WebSocket server that passes on what one client sends to all others: the least a chat can be. */
  start: async (): Promise<EchoQuestions['start']['answer']> => {
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

export async function end(): Promise<void> {
  for (const socket of server?.clients ?? []) socket.terminate()
  server?.close()
}
