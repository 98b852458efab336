import { beforeAll, expect, test } from 'vitest'
import { isInOrder, soak } from '#tests/backend/realtime/soak'
import { startedFolder } from '#tests/backend/support/backend'
import { buildBackend } from '#tests/backend/support/processes'

beforeAll(buildBackend)

// A short form of tests/long/live-soak.test.ts.
test('MSG-08 shows every acknowledged message once and in the same order to both participants, despite crashes, cut connections and expired tokens', async () => {
  const result = await soak(await startedFolder(), {
    members: 4,
    messages: 24,
    kills: 1,
    tokenSeconds: [3, 5],
    closings: 2,
    timeoutMs: 240_000,
  })
  for (const { of, sent, shown } of result.views) expect([of, shown]).toEqual([of, sent])
  for (const [one, other] of result.conversations) {
    expect(one).toEqual(other)
    expect(isInOrder(one)).toBe(true)
  }
  // How many other messages arrived live instead of by refetching depends on the speed of the machine.
  expect(result.receivedLiveAfterwards).toBe(4)
  expect(result.closings).toBeGreaterThanOrEqual(2)
})
