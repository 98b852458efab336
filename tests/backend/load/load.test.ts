import { beforeAll, expect, test } from 'vitest'
import { buildBackend } from '#tests/backend/server/processes'
import { scratchFolder } from '#tests/backend/server/support'
import { load } from './load'

beforeAll(buildBackend)

test('eight members read and write at once: no error, and nothing acknowledged is lost when the server is killed', async () => {
  const { errors, lost, acknowledged, times } = await load(await scratchFolder(), {
    members: 8,
    until: { actions: 20 },
    pictureBytes: 30_000,
  })
  expect(errors).toEqual([])
  expect(lost).toEqual([])
  expect(acknowledged).toBeGreaterThanOrEqual(40)
  expect([...times.keys()].toSorted()).toHaveLength(9)
})
