import { expect, onTestFinished, test, vi } from 'vitest'
import { openSocket, rawClient } from '#tests/backend/realtime/raw-client'
import { startRealtimeServer } from '#tests/backend/realtime/support'

test('a stopping server closes its connections and accepts no new ones', async () => {
  const own = await startRealtimeServer()
  const client = await rawClient(own)
  const filter = `user_id=eq.${crypto.randomUUID()}`
  const postgres_changes = [{ event: 'INSERT', schema: 'public', table: 'notifications', filter }]
  const token = await own.token({ sub: crypto.randomUUID() })
  expect((await client.join('realtime:room', { postgres_changes }, token)).payload.status).toBe('ok')
  await own.stop()
  expect(await client.closed).toBe(1006)
  const late = openSocket(own)
  const failed = vi.fn()
  late.on('error', failed)
  await vi.waitFor(() => expect(failed).toHaveBeenCalled())
})

test('a connection over the limit of a member is closed on its first join, and other members can join', async () => {
  const own = await startRealtimeServer({
    realtimeLimits: { connectionsPerMember: 2, connectionsOfStrangers: 2 },
  })
  onTestFinished(() => own.stop())
  const join = async (sub: string) => {
    const client = await rawClient(own)
    onTestFinished(() => client.socket.terminate())
    await client.join('realtime:room', {}, await own.token({ sub }))
    return client
  }
  const [ada, ben] = [crypto.randomUUID(), crypto.randomUUID()]
  const clients = [await join(ada), await join(ada), await join(ada)]
  expect(await clients[2]?.closed).toBe(1008)
  const other = await join(ben)
  // Strangers at the same address evict only each other.
  const strangers = [await rawClient(own), await rawClient(own), await rawClient(own)]
  expect(await strangers[0]?.closed).toBe(1008)
  for (const { socket } of [clients[0], clients[1], other, strangers[1], strangers[2]].flatMap(
    (client) => client ?? [],
  )) {
    expect(socket.readyState).toBe(socket.OPEN)
    socket.terminate()
  }
})

test('a connection without a member’s join is closed, and a member’s stays open', async () => {
  const own = await startRealtimeServer({ realtimeLimits: { unauthenticatedMs: 3_000 } })
  onTestFinished(() => own.stop())
  const member = await rawClient(own)
  const token = await own.token({ role: 'authenticated', sub: crypto.randomUUID() })
  const joined = await member.join('realtime:room', {}, token)
  expect(joined.payload.status).toBe('ok')
  const stranger = await rawClient(own)
  expect((await stranger.join('realtime:room', {})).payload.status).toBe('ok')
  expect(await stranger.closed).toBe(1006)
  expect(member.socket.readyState).toBe(member.socket.OPEN)
})
