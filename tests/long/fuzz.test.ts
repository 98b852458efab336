import { expect, onTestFinished, test } from 'vitest'
import { keepSecrets } from '#tests/backend/fuzz/secrets'
import { tryRequests } from '#tests/backend/fuzz/try-requests'
import { startRealtimeServer } from '#tests/backend/realtime/support'
import { surviveWildFrames } from '#tests/backend/realtime/wild-frames'
import { startedFolder, startTestBackend } from '#tests/backend/server/support'
import { printTable } from './table'

const REQUESTS = 10_000
const CONNECTIONS = 3_000
/** In ms; a request takes 50 ms on a busy machine. */
const TEST_TIMEOUT_MS = 1_800_000

test(
  '10,000 random requests cause no server error and reveal no private data of others',
  async () => {
    const backend = await startTestBackend(await startedFolder())
    const keepers = await keepSecrets(backend)
    const statuses = await tryRequests(backend, keepers, { numRuns: REQUESTS })
    printTable(
      ['status', 'responses'],
      Object.entries(statuses).map(([status, count]) => [status, String(count)]),
    )
    expect(statuses[200]).toBeGreaterThan(REQUESTS / 20)
  },
  TEST_TIMEOUT_MS,
)

test('the server survives three thousand connections with random frames and logs no error', async () => {
  const server = await startRealtimeServer()
  onTestFinished(() => server.stop())
  await surviveWildFrames(server, CONNECTIONS)
})
