import { expect, onTestFinished, test } from 'vitest'
import { keepSecrets } from '#tests/backend/fuzz/secrets'
import { tryRequests } from '#tests/backend/fuzz/try-requests'
import { startRealtimeServer } from '#tests/backend/realtime/support'
import { surviveWildFrames } from '#tests/backend/realtime/wild-frames'
import { startedFolder, startTestBackend } from '#tests/backend/server/support'
import { printTable } from './table'

const REQUESTS = 10_000
const CONNECTIONS = 3_000

test('ten thousand requests by hand: never an error of the server, never a word of what others keep to themselves', async () => {
  const backend = await startTestBackend(await startedFolder())
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
  await surviveWildFrames(server, CONNECTIONS)
})
