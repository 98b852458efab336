import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { RealtimeServer } from '#tests/backend/realtime/support'

/** A text message of the protocol. */
export interface RawMessage {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: Record<string, unknown>
}

/** Formats a broadcast like supabase-js. */
export function broadcastFrame(message: {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
}): Buffer {
  const { joinRef, ref, topic, event, payload } = message
  const names = [joinRef ?? '', ref ?? '', topic, event, ''].map((name) => Buffer.from(name))
  const header = Buffer.of(3, ...names.map((name) => name.length), 1)
  return Buffer.concat([header, ...names, Buffer.from(JSON.stringify(payload))])
}

/** A client without supabase-js, for frames that it would never send. */
export interface RawClient {
  socket: WebSocket
  /** All received text messages. */
  received: RawMessage[]
  send(message: unknown): void
  /** Sends a broadcast; an error reply has the reference `ref`. */
  broadcast(topic: string, joinRef: string | null, ref: string, event: string, payload: unknown): void
  /** Sends a message and returns its reply. */
  ask(topic: string, event: string, payload: unknown, joinRef?: string | null): Promise<RawMessage>
  /** Joins a topic and returns the reply; its `ref` is the reference of the join. */
  join(topic: string, config: unknown, accessToken?: string): Promise<RawMessage>
  /** The first past or future message that matches. */
  next(fits: (message: RawMessage) => boolean): Promise<RawMessage>
  /** The close code. */
  closed: Promise<number>
}

export interface RawOptions {
  key?: string
  vsn?: string
  headers?: Record<string, string>
}

export function openSocket({ backend }: RealtimeServer, options: RawOptions = {}): WebSocket {
  const { key = backend.publishableKey, vsn = '2.0.0', headers = {} } = options
  const url = new URL('/realtime/v1/websocket', backend.url.replace('http', 'ws'))
  if (key !== '') url.searchParams.set('apikey', key)
  if (vsn !== '') url.searchParams.set('vsn', vsn)
  return new WebSocket(url, { headers })
}

export async function rawClient(server: RealtimeServer, options: RawOptions = {}): Promise<RawClient> {
  const socket = openSocket(server, options)
  const received: RawMessage[] = []
  const listeners = new Set<() => void>()
  socket.on('message', (data, isBinary) => {
    if (isBinary) return
    const message = JSON.parse(String(data))
    const [joinRef, ref, topic, event, payload] = message
    received.push({ joinRef, ref, topic, event, payload })
    for (const listener of listeners) listener()
  })
  const closed = once(socket, 'close').then(([code]) => code as number)
  await once(socket, 'open')

  let lastRef = 0
  const send = (message: unknown) => socket.send(JSON.stringify(message))
  const next: RawClient['next'] = (fits) =>
    new Promise((resolve) => {
      const look = () => {
        const found = received.find(fits)
        if (found === undefined) return
        listeners.delete(look)
        resolve(found)
      }
      listeners.add(look)
      look()
    })
  const ask: RawClient['ask'] = (topic, event, payload, joinRef = null) => {
    lastRef += 1
    const ref = String(lastRef)
    send([event === 'phx_join' ? ref : joinRef, ref, topic, event, payload])
    return next((message) => message.event === 'phx_reply' && message.ref === ref)
  }
  return {
    socket,
    received,
    closed,
    send,
    broadcast: (topic, joinRef, ref, event, payload) =>
      socket.send(broadcastFrame({ joinRef, ref, topic, event, payload })),
    ask,
    next,
    join: (topic, config, accessToken) =>
      ask(topic, 'phx_join', { config, ...(accessToken === undefined ? {} : { access_token: accessToken }) }),
  }
}
