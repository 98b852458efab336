import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** A minimal WebSocket client: it sends large amounts cheaply, does not have to read, and never replies. */
export interface HostileSocket {
  isOpen(): boolean
  write(frames: Buffer): void
  close(): void
}

/** Opens a connection, which is closed after the test. */
export async function openHostile(
  server: { url: string; publishableKey: string },
  reads = true,
): Promise<HostileSocket> {
  const { hostname, port, host } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const path = `/realtime/v1/websocket?apikey=${server.publishableKey}&vsn=2.0.0`
  const headers = [
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers.join('\r\n')}\r\n\r\n`)
  // The server may reject the handshake.
  await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => undefined)
  if (reads) socket.resume()
  else socket.pause()
  return {
    isOpen: () => socket.writable,
    write: (frames) => void socket.write(frames),
    close: () => void socket.destroy(),
  }
}

const TEXT = 1
const BINARY = 2
const PING = 9
const FINAL = 0x80
const MASKED = 0x80

/** An RFC 6455 frame with a mask of zeros. */
function frame(firstByte: number, payload: Buffer): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 6 : 8)
  head[0] = firstByte
  if (length < 126) head[1] = MASKED | length
  else {
    head[1] = MASKED | 126
    head.writeUInt16BE(length, 2)
  }
  return Buffer.concat([head, payload])
}

export const textFrame = (message: unknown): Buffer =>
  frame(FINAL | TEXT, Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)))

export const binaryFrame = (data: Buffer): Buffer => frame(FINAL | BINARY, data)

export const pingFrame = (bytes: number): Buffer => frame(FINAL | PING, Buffer.alloc(bytes, 'x'))

/** An unfinished message of `count` fragments with one byte each. */
export function fragments(count: number): Buffer {
  const byte = Buffer.from('x')
  return Buffer.concat([frame(TEXT, byte), ...Array.from({ length: count - 1 }, () => frame(0, byte))])
}
