import { beforeAll, expect, test } from 'vitest'
import { buildBackend } from '#tests/backend/server/processes'
import { startedFolder } from '#tests/backend/server/support'
import { load } from './load'

beforeAll(buildBackend)

// The short form; tests/long/load.test.ts is the full one.
test('eight members read and write at once: no error, and nothing acknowledged is lost when the server is killed', async () => {
  const { errors, lost, acknowledged, times } = await load(await startedFolder(), {
    members: 8,
    until: { actions: 10 },
    pictureBytes: 30_000,
  })
  expect(errors).toEqual([])
  expect(lost).toEqual([])
  expect(acknowledged).toBeGreaterThanOrEqual(20)
  expect([...times.keys()].toSorted()).toHaveLength(9)
})
