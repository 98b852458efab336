import { beforeAll, expect, test } from 'vitest'
import { startedFolder } from '#tests/backend/support/backend'
import { buildBackend } from '#tests/backend/support/processes'
import { load } from './load'

beforeAll(buildBackend)

// A short form of tests/long/load.test.ts.
test('eight members read and write concurrently without errors, and a crash loses no acknowledged write', async () => {
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
