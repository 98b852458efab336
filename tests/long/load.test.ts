import { beforeAll, expect, test } from 'vitest'
import { load } from '#tests/backend/load/load'
import { buildBackend } from '#tests/backend/server/processes'
import { scratchFolder } from '#tests/backend/server/support'
import { printTable } from './table'

beforeAll(buildBackend)

/** MB of resident memory that the server may take (design, what is measured). */
const MEMORY_BUDGET = 350

test('fifty members read and write for a minute: no error, nothing acknowledged is lost, the memory stays in its budget', async () => {
  const { errors, lost, acknowledged, times, memoryMB } = await load(await scratchFolder(), {
    members: 50,
    until: { seconds: 60 },
    pictureBytes: 100_000,
  })
  const rows = [...times].map(([what, all]) => {
    const sorted = all.toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(0)
    return [what, String(all.length), at(0.5), at(0.95)]
  })
  printTable(
    ['fifty members, a minute', 'answers', 'p50 ms', 'p95 ms'],
    [...rows, [`memory in MB, of ${MEMORY_BUDGET}`, '', '', memoryMB?.toFixed(0) ?? 'unknown']],
  )
  expect(errors).toEqual([])
  expect(lost).toEqual([])
  expect(acknowledged).toBeGreaterThan(500)
  expect(memoryMB ?? 0).toBeLessThanOrEqual(MEMORY_BUDGET)
})
