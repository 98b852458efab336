import { expect, test, vi } from 'vitest'
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
