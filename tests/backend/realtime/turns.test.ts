import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { SkippedError } from '#/backend/base/queue'
import type { WebSocketCaller } from '#/backend/http/http-host'
import type { RealtimeContext } from '#/backend/realtime/channel'
import { serveConnection } from '#/backend/realtime/connection'
import { DEFAULT_LIMITS } from '#/backend/realtime/limits'
import { gate } from '#tests/gate'

/** A connection whose caller's turn comes when `turn` is called. */
function connect() {
  const { opened, open: turn } = gate()
  const send = vi.fn()
  const close = vi.fn()
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send,
    close,
    pause: () => undefined,
  })
  const asked = vi.fn(() => opened)
  const caller: WebSocketCaller = { identify: vi.fn(), parseInTurn: (work) => asked().then(work) }
  const context = { limits: DEFAULT_LIMITS, log: vi.fn() } as unknown as RealtimeContext
  serveConnection(context, { socket: socket as unknown as WebSocket, keyClaims: { role: 'anon' }, caller })
  return {
    turn,
    send,
    close,
    socket,
    asked,
    receive: (frame: string) => socket.emit('message', Buffer.from(frame), false),
  }
}

const JOIN = JSON.stringify(['1', '1', 'realtime:room', 'phx_join', { config: { unknown: 'x'.repeat(200) } }])
const HEARTBEAT = JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}])

test('a join is parsed in its caller’s turn, and a heartbeat is answered before', async () => {
  const { turn, send, receive } = connect()
  receive(JOIN)
  receive(HEARTBEAT)
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('phoenix'))
  turn()
  await vi.waitFor(() => expect(send).toHaveBeenLastCalledWith(expect.stringContaining('InvalidJoinPayload')))
})

test('a long frame that is not a message closes the connection in its caller’s turn', async () => {
  const { turn, close, receive } = connect()
  receive(`[${'"x",'.repeat(200)}"x"]`)
  expect(close).not.toHaveBeenCalled()
  turn()
  await vi.waitFor(() => expect(close).toHaveBeenCalledWith(1002, 'Not a message of the protocol'))
})

test('frames of a closed connection take no turns', async () => {
  const { turn, asked, receive, socket } = connect()
  for (let sent = 0; sent < 50; sent += 1) receive(JOIN)
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce())
  socket.readyState = 3
  turn()
  await setImmediate()
  expect(asked).toHaveBeenCalledOnce()
})

test('a connection whose turn is refused is closed, and its client comes again', async () => {
  const { close, asked, receive } = connect()
  asked.mockRejectedValueOnce(new SkippedError())
  receive(JOIN)
  await vi.waitFor(() => expect(close).toHaveBeenCalledWith(1013, 'The server is busy'))
})
