import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { keepSecrets } from '#tests/backend/fuzz/secrets'
import { tryRequests } from '#tests/backend/fuzz/try-requests'
import { rawClient } from '#tests/backend/realtime/raw-client'
import { startRealtimeServer } from '#tests/backend/realtime/support'
import { wildFrames } from '#tests/backend/realtime/wild-frames'
import { scratchFolder, startTestBackend } from '#tests/backend/server/support'
import { printTable } from './table'

const REQUESTS = 10_000
const CONNECTIONS = 3_000

test('ten thousand requests by hand: never an error of the server, never a word of what others keep to themselves', async () => {
  const backend = await startTestBackend(await scratchFolder())
  const keepers = await keepSecrets(backend)
  const before = await keepers.kept()
  const statuses = await tryRequests(backend, keepers, { numRuns: REQUESTS })
  printTable(
    ['status', 'answers'],
    Object.entries(statuses).map(([status, count]) => [status, String(count)]),
  )
  expect(statuses[200]).toBeGreaterThan(REQUESTS / 20)
  expect(await keepers.kept()).toBe(before)
})

test('three thousand connections that send whatever comes to mind: the server goes on, and has nothing to complain of', async () => {
  const server = await startRealtimeServer()
  onTestFinished(() => server.stop())
  await fc.assert(
    fc.asyncProperty(fc.array(wildFrames(), { maxLength: 15 }), async (sent) => {
      const { socket, closed } = await rawClient(server)
      for (const frame of sent) if (socket.readyState === socket.OPEN) socket.send(frame)
      socket.close()
      await closed
    }),
    { numRuns: CONNECTIONS },
  )
  const after = await rawClient(server)
  expect((await after.join('realtime:room', {})).payload).toMatchObject({ status: 'ok' })
  after.socket.terminate()
  expect(server.log.filter((line) => line.startsWith('error'))).toEqual([])
})
