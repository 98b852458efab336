import { expect, onTestFinished, test } from 'vitest'
import { createPrivateCommunity } from '#tests/backend/fuzz/secrets'
import { tryRequests } from '#tests/backend/fuzz/try-requests'
import { sendRandomFrames } from '#tests/backend/realtime/random-frames'
import { startRealtimeServer } from '#tests/backend/realtime/support'
import { startedFolder, startTestBackend } from '#tests/backend/support/backend'
import { printTable } from './table'

const REQUESTS = 10_000
const CONNECTIONS = 3_000
/** In ms; a request takes 50 ms on a busy machine. */
const TEST_TIMEOUT_MS = 1_800_000

test(
  '10,000 random requests cause no server error and reveal no private data of others',
  async () => {
    const backend = await startTestBackend(await startedFolder())
    const community = await createPrivateCommunity(backend)
    const statuses = await tryRequests(backend, community, { numRuns: REQUESTS })
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
  await sendRandomFrames(server, CONNECTIONS)
})
