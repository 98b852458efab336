import { type BackendLog, describeError } from '#/backend/base/log'

/** A snapshot is taken this long after the last write, in milliseconds. */
const IDLE_MS = 60_000
/** A snapshot waits this long at most after the first write that it lacks, in milliseconds. Otherwise a client that keeps writing would prevent it. */
const LATEST_MS = 600_000
/** Snapshots may take at most one fiftieth of the time. */
const TIME_SHARE = 50
/** Above this size of the data folder, in bytes, a snapshot is taken at quit only. */
const LARGE_BYTES = 200_000_000

export interface SnapshotScheduleOptions {
  /** Takes a snapshot; resolves with false if nothing has changed since the last one. */
  take: () => Promise<boolean>
  dataSize: () => Promise<number>
  log: BackendLog
  now?: () => number
}

export interface SnapshotSchedule {
  /** Call after each write. */
  noteWrite(): void
  /** Stops the schedule, waits for a running snapshot and takes a last one, unless `takesLast` is false. */
  finish(takesLast?: boolean): Promise<void>
}

/** Decides when snapshots are taken. PGlite has no fsync, so only snapshots are certain to survive a power failure. */
export function createSnapshotSchedule(options: SnapshotScheduleOptions): SnapshotSchedule {
  const { take, dataSize, log } = options
  const now = options.now ?? Date.now
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let earliestNext = 0
  let firstWriteAt: number | null = null
  let isFinished = false
  let wasLarge = false

  const snapshot = async () => {
    const started = now()
    try {
      if (await take()) log('info', `Snapshot written in ${now() - started} ms.`)
    } catch (error) {
      log('error', `The snapshot could not be written: ${describeError(error)}`)
    }
    earliestNext = now() + (now() - started) * (TIME_SHARE - 1)
  }

  const isLarge = async (): Promise<boolean> => {
    const size = await dataSize().catch(() => 0)
    if (size > LARGE_BYTES && !wasLarge) {
      log('info', `The data folder is larger than ${LARGE_BYTES / 1e6} MB: snapshots are taken at quit only.`)
    }
    wasLarge = size > LARGE_BYTES
    return wasLarge
  }

  const schedule = () => {
    clearTimeout(timer)
    if (isFinished) return
    firstWriteAt ??= now()
    timer = setTimeout(
      () => {
        firstWriteAt = null
        running = running.then(async () => {
          if (!(await isLarge())) await snapshot()
        })
      },
      Math.max(Math.min(IDLE_MS, firstWriteAt + LATEST_MS - now()), earliestNext - now()),
    )
    timer.unref()
  }

  return {
    noteWrite: schedule,
    finish: async (takesLast = true) => {
      isFinished = true
      clearTimeout(timer)
      await running
      if (takesLast) await snapshot()
    },
  }
}
