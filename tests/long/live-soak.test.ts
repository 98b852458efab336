import { beforeAll, expect, test } from 'vitest'
import { isInOrder, soak } from '#tests/backend/realtime/soak'
import { scratchFolder } from '#tests/backend/support/backend'
import { buildBackend } from '#tests/backend/support/processes'

beforeAll(buildBackend)

test('MSG-08 shows 2,000 acknowledged messages once and in the same order to both participants, despite server crashes, cut connections and expired tokens', async () => {
  const result = await soak(await scratchFolder(), {
    members: 20,
    messages: 2_000,
    kills: 5,
    tokenSeconds: [4, 9],
    closings: 20,
    timeoutMs: 60_000,
  })
  expect(result.views.reduce((sum, { sent }) => sum + sent.length, 0)).toBe(4_000)
  for (const { of, sent, shown } of result.views) expect([of, shown]).toEqual([of, sent])
  for (const [one, other] of result.conversations) {
    expect(one).toEqual(other)
    expect(isInOrder(one)).toBe(true)
  }
  expect(result.receivedLive).toBeGreaterThan(500)
  expect(result.closings).toBeGreaterThanOrEqual(20)
})
