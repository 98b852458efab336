import { beforeAll, expect, test } from 'vitest'
import { isInOrder, soak } from '#tests/backend/realtime/soak'
import { buildBackend } from '#tests/backend/server/processes'
import { startedFolder } from '#tests/backend/server/support'

beforeAll(buildBackend)

// The short form; tests/long/live-soak.test.ts is the full one.
test('MSG-08 killed, cut off and expired: every acknowledged message is shown to both, once and in one order', async () => {
  const result = await soak(await startedFolder(), {
    members: 4,
    messages: 40,
    kills: 1,
    tokenSeconds: [3, 5],
    closings: 3,
    patienceMs: 90_000,
  })
  for (const { of, sent, shown } of result.views) expect([of, shown]).toEqual([of, sent])
  for (const [one, other] of result.conversations) {
    expect(one).toEqual(other)
    expect(isInOrder(one)).toBe(true)
  }
  // How many of the others were told live, and not read again, is a matter of the machine's speed.
  expect(result.toldAfterwards).toBe(4)
  expect(result.closings).toBeGreaterThanOrEqual(3)
}, 360_000)
