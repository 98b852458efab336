import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createQueue } from '#/backend/base/queue'
import { scheduleCheckpoints } from '#/backend/database/checkpoints'
import { openMigrated } from '#tests/backend/support/prepared'

const CHECK_AFTER_MS = 5_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** Opens a database with a checkpoint after each 1 MB of write-ahead log. */
async function openLogged() {
  const pg = (await openMigrated()).driver
  onTestFinished(() => pg.close())
  await pg.exec('create table public.written (text text storage external); checkpoint')
  const exclusive = createQueue()
  const logMaxBytes = 1024 * 1024
  const checkpoints = scheduleCheckpoints({ pg, exclusive, log: () => undefined, logMaxBytes })
  onTestFinished(checkpoints.stop)
  /** Runs a statement that writes, and waits until the size of the log has been checked. */
  const run = async (sql: string, parameters: unknown[] = []) => {
    await exclusive(() => pg.query(sql, parameters))
    checkpoints.noteWrite()
    await vi.advanceTimersByTimeAsync(CHECK_AFTER_MS)
    await exclusive(async () => undefined)
  }
  return {
    run,
    write: (kilobytes: number) =>
      run(
        `insert into public.written
          select string_agg(md5(random()::text), '') from generate_series(1, $1::int) kilobyte, generate_series(1, 32)
          group by kilobyte`,
        [kilobytes],
      ),
    /** Megabytes of the table's files. */
    size: async () => {
      const { rows } = await pg.query<{ megabytes: number }>(
        `select (pg_total_relation_size('public.written') / 1000000)::int as megabytes`,
      )
      return rows[0]?.megabytes
    },
    /** The position from which recovery would start. */
    redoPosition: async () => {
      const { rows } = await pg.query<{ at: string }>(
        'select redo_lsn::text as at from pg_control_checkpoint()',
      )
      return rows[0]?.at
    },
  }
}

test('makes a checkpoint after the write that exceeds the log limit, and not before', async () => {
  const { write, redoPosition } = await openLogged()
  const first = await redoPosition()
  await write(100)
  expect(await redoPosition()).toBe(first)
  await write(1_500)
  const second = await redoPosition()
  expect(second).not.toBe(first)
  await write(100)
  expect(await redoPosition()).toBe(second)
})

test('vacuums a table from which a large value was removed, before the hourly cleanup', async () => {
  const { run, size } = await openLogged()
  const insert = "insert into public.written select repeat('a picture ', 3500000)"
  for (const sql of [insert, 'delete from public.written', insert, 'delete from public.written', insert])
    await run(sql)
  // The third takes the place of an earlier one.
  expect(await size()).toBeGreaterThan(30)
  expect(await size()).toBeLessThan(80)
})

/** Starts checkpoints on a fake database whose log exceeds the limit, and records its statements. */
function startWithLongLog(exec: () => Promise<void>) {
  const statements: string[] = []
  const lines: string[] = []
  const checkpoints = scheduleCheckpoints({
    pg: {
      query: async (sql) => {
        statements.push(sql)
        return { rows: (sql.includes('redo_lsn') ? [{ bytes: String(2 ** 30) }] : []) as never[] }
      },
      exec: (sql) => {
        statements.push(sql)
        return exec()
      },
    },
    exclusive: createQueue(),
    log: (level, text) => lines.push(`${level} ${text}`),
  })
  return { ...checkpoints, statements, lines }
}

test('checks once after many writes, and not after it is stopped', async () => {
  const { noteWrite, stop, statements } = startWithLongLog(async () => undefined)
  for (let write = 0; write < 10; write += 1) noteWrite()
  await vi.advanceTimersByTimeAsync(CHECK_AFTER_MS)
  expect(statements).toEqual([
    expect.stringContaining('pg_control_checkpoint'),
    'checkpoint',
    expect.stringContaining('flush'),
    expect.stringContaining('n_dead_tup'),
  ])
  noteWrite()
  stop()
  await vi.advanceTimersByTimeAsync(CHECK_AFTER_MS)
  expect(statements).toHaveLength(4)
})

test('logs a failed checkpoint and retries it after the next write', async () => {
  const exec = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('no space left on device'))
  const { noteWrite, lines } = startWithLongLog(exec)
  noteWrite()
  await vi.advanceTimersByTimeAsync(CHECK_AFTER_MS)
  expect(lines).toEqual(['warn The checkpoint failed: no space left on device'])
  noteWrite()
  await vi.advanceTimersByTimeAsync(CHECK_AFTER_MS)
  expect(exec).toHaveBeenCalledTimes(2)
  expect(lines).toHaveLength(1)
})
