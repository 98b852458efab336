import fc from 'fast-check'
import { expect } from 'vitest'
import { rawClient } from './raw-client'
import type { RealtimeServer } from './support'

/** Random and hostile frames. */
function randomFrames() {
  const ref = fc.constantFrom(null, '1', '2', 7)
  const topic = fc.oneof(
    fc.constantFrom(
      'realtime:room',
      'realtime:',
      'realtime:conversation:x',
      'realtime:room:x:0',
      'phoenix',
      '',
      '__proto__',
    ),
    fc
      .tuple(
        fc.constantFrom('conversation', 'room', 'member', 'post'),
        fc.uuid(),
        fc.constantFrom('', ':0', ':1', ':999999999', ':9999999999', ':-1', ':0:0'),
      )
      .map(([kind, id, epoch]) => `realtime:${kind}:${id}${epoch}`),
    fc.string(),
  )
  const event = fc.oneof(
    fc.constantFrom(
      'phx_join',
      'phx_leave',
      'access_token',
      'broadcast',
      'presence',
      'heartbeat',
      'constructor',
    ),
    fc.string(),
  )
  const binding = fc.record({
    event: fc.constantFrom('*', 'INSERT', 'UPDATE', 7),
    schema: fc.constantFrom('public', '*', null),
    table: fc.constantFrom('messages', '*', 'nothing', {}),
    filter: fc.constantFrom(
      'content=eq.a',
      'content=match.((((',
      'sender_id=eq.00000000-0000-4000-8000-000000000000',
      'id=in.(1,2)',
      '\u0000',
      'x=eq.\ud800',
      3,
    ),
  })
  const payload = fc.oneof(
    fc.jsonValue(),
    fc.record({ access_token: fc.string() }),
    fc.record({ event: fc.constantFrom('track', 'untrack', 'x'), payload: fc.jsonValue() }),
    fc.record({
      config: fc.record({
        private: fc.jsonValue(),
        postgres_changes: fc.array(binding),
        presence: fc.jsonValue(),
      }),
    }),
  )
  return fc.oneof(
    fc.tuple(ref, ref, topic, event, payload).map((message) => JSON.stringify(message)),
    fc.record({ join_ref: ref, ref, topic, event, payload }).map((message) => JSON.stringify(message)),
    fc.json(),
    fc.string(),
    fc.uint8Array().map((array) => Buffer.from(array)),
    fc.uint8Array().map((array) => Buffer.concat([Buffer.from([3, 1, 1, 4, 2, 0, 1]), array])),
  )
}

/** Opens connections that send random frames; the server must survive and log no error. */
export async function sendRandomFrames(server: RealtimeServer, connections: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(randomFrames(), { maxLength: 15 }), async (sent) => {
      const { socket, closed } = await rawClient(server)
      for (const frame of sent) if (socket.readyState === socket.OPEN) socket.send(frame)
      socket.close()
      await closed
    }),
    { numRuns: connections },
  )
  const after = await rawClient(server)
  expect((await after.join('realtime:room', {})).payload).toMatchObject({ status: 'ok' })
  after.socket.terminate()
  expect(server.log.filter((line) => line.startsWith('error'))).toEqual([])
}
