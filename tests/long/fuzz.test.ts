import { expect, onTestFinished, test } from 'vitest'
import { keepSecrets } from '#tests/backend/fuzz/secrets'
import { tryRequests } from '#tests/backend/fuzz/try-requests'
import { startRealtimeServer } from '#tests/backend/realtime/support'
import { surviveWildFrames } from '#tests/backend/realtime/wild-frames'
import { startedFolder, startTestBackend } from '#tests/backend/server/support'
import { printTable } from './table'

const REQUESTS = 10_000
const CONNECTIONS = 3_000
/** A busy machine takes 50 ms for a request, in milliseconds. */
const TEST_MS = 1_800_000

test(
  '10,000 random requests neither fail on the server nor show what others keep to themselves',
  async () => {
    const backend = await startTestBackend(await startedFolder())
    const keepers = await keepSecrets(backend)
    const statuses = await tryRequests(backend, keepers, { numRuns: REQUESTS })
    printTable(
      ['status', 'answers'],
      Object.entries(statuses).map(([status, count]) => [status, String(count)]),
    )
    expect(statuses[200]).toBeGreaterThan(REQUESTS / 20)
  },
  TEST_MS,
)

test('three thousand connections that send whatever comes to mind: the server goes on, and has nothing to complain of', async () => {
  const server = await startRealtimeServer()
  onTestFinished(() => server.stop())
  await surviveWildFrames(server, CONNECTIONS)
})
