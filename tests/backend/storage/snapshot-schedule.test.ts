import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSnapshotSchedule } from '#/backend/storage/snapshot-schedule'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})

afterEach(() => {
  vi.useRealTimers()
})

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function schedule({ costMs = 100, size = 1_000, fails = false } = {}) {
  const takenAt: number[] = []
  const lines: string[] = []
  const schedule = createSnapshotSchedule({
    take: async () => {
      takenAt.push(Date.now())
      await new Promise((resolve) => setTimeout(resolve, costMs))
      if (fails) throw new Error('no space left on device')
      return true
    },
    dataSize: async () => size,
    log: (level, text) => lines.push(`${level} ${text}`),
  })
  return { ...schedule, takenAt, lines }
}

test('takes no snapshot without writes', async () => {
  const { takenAt } = schedule()
  await wait(3_600_000)
  expect(takenAt).toEqual([])
})

test('takes a snapshot a minute after the last write', async () => {
  const { noteWrite, takenAt } = schedule()
  noteWrite()
  await wait(50_000)
  noteWrite()
  await wait(59_999)
  expect(takenAt).toEqual([])
  await wait(1)
  expect(takenAt).toEqual([110_000])
  await wait(3_600_000)
  expect(takenAt).toEqual([110_000])
})

test('takes one ten minutes after the first write, however often a client writes', async () => {
  const { noteWrite, takenAt } = schedule()
  for (let seconds = 0; seconds < 1_260; seconds += 30) {
    noteWrite()
    await wait(30_000)
  }
  expect(takenAt).toEqual([600_000, 1_200_000])
})

test('uses at most 2 % of the time', async () => {
  const { noteWrite, takenAt } = schedule({ costMs: 4_000 })
  for (let minutes = 0; minutes < 120; minutes += 2) {
    noteWrite()
    await wait(120_000)
  }
  const gaps = takenAt.slice(1).map((at, index) => at - (takenAt[index] ?? 0))
  expect(takenAt.length).toBeGreaterThan(10)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_000 * 50)
})

test('waits for the shutdown with a large folder, and logs this once', async () => {
  const { noteWrite, finish, takenAt, lines } = schedule({ size: 200_000_001 })
  noteWrite()
  await wait(60_000)
  noteWrite()
  await wait(60_000)
  expect(takenAt).toEqual([])
  expect(lines).toEqual(['info The data folder is larger than 200 MB: snapshots are taken at quit only.'])
  const finished = finish()
  await wait(1_000)
  await finished
  expect(takenAt).toHaveLength(1)
})

test('stopping waits for a running snapshot and takes a last one', async () => {
  const { noteWrite, finish, takenAt } = schedule({ costMs: 5_000 })
  noteWrite()
  await wait(61_000)
  const finished = finish()
  await wait(60_000)
  await finished
  expect(takenAt).toEqual([60_000, 65_000])
  noteWrite()
  await wait(3_600_000)
  expect(takenAt).toHaveLength(2)
})

test('logs a failure, and continues the schedule and the shutdown', async () => {
  const { noteWrite, finish, takenAt, lines } = schedule({ fails: true })
  noteWrite()
  await wait(61_000)
  const finished = finish()
  await wait(60_000)
  await finished
  expect(takenAt).toHaveLength(2)
  expect(lines[0]).toBe('error The snapshot could not be written: no space left on device')
})
