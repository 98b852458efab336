import { beforeAll, expect, test } from 'vitest'
import { load } from '#tests/backend/load/load'
import { scratchFolder } from '#tests/backend/support/backend'
import { percentile } from '#tests/backend/support/median'
import { buildBackend } from '#tests/backend/support/processes'
import { printTable } from './table'

beforeAll(buildBackend)

/** Maximum resident memory of the server in MB (docs/measurements.md). */
const MEMORY_BUDGET = 350

test('fifty members read and write without errors or lost writes, within the memory budget', async () => {
  const { errors, lost, acknowledged, times, memoryMB } = await load(await scratchFolder(), {
    members: 50,
    // Not for a time, in which a computer with other work would do less.
    until: { actions: 40 },
    pictureBytes: 100_000,
  })
  const rows = [...times].map(([request, durations]) => {
    const at = (share: number) => percentile(durations, share).toFixed(0)
    return [request, String(durations.length), at(0.5), at(0.95)]
  })
  printTable(
    ['fifty members', 'responses', 'p50 ms', 'p95 ms'],
    [...rows, [`memory in MB, of ${MEMORY_BUDGET}`, '', '', memoryMB?.toFixed(0) ?? 'unknown']],
  )
  expect(errors).toEqual([])
  expect(lost).toEqual([])
  expect(acknowledged).toBeGreaterThan(500)
  // Windows has no `ps`.
  if (process.platform === 'win32') expect(memoryMB).toBeNull()
  else expect(memoryMB).toBeLessThanOrEqual(MEMORY_BUDGET)
})
