import { type BackendLog, describeError } from '#/backend/log'

/** A snapshot is taken once nobody has written for this long. */
const QUIET_MS = 60_000
/** Snapshots may take at most one part in this many of the time: 2 %. */
const TIME_SHARE = 50
/** Above this size of the data folder, in bytes, a snapshot is taken at quit only. */
const LARGE_BYTES = 200_000_000

export interface SnapshotScheduleOptions {
  /** Takes one, as the only user of the database; false when nothing has changed since the last. */
  take: () => Promise<boolean>
  dataSize: () => Promise<number>
  log: BackendLog
  now?: () => number
}

export interface SnapshotSchedule {
  /** Somebody wrote. */
  noteWrite(): void
  /** Stops the clock, waits for a snapshot under way and takes the last one, unless told not to. */
  finish(takesLast?: boolean): Promise<void>
}

/** Decides when snapshots are taken: PGlite has no fsync, so after a power cut they are what is sure to be there. */
export function createSnapshotSchedule(options: SnapshotScheduleOptions): SnapshotSchedule {
  const { take, dataSize, log } = options
  const now = options.now ?? Date.now
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  let notBefore = 0
  let isFinished = false
  let wasLarge = false

  const snapshot = async () => {
    const started = now()
    try {
      if (await take()) log('info', `Snapshot written in ${now() - started} ms.`)
    } catch (error) {
      log('error', `The snapshot could not be written: ${describeError(error)}`)
    }
    notBefore = now() + (now() - started) * (TIME_SHARE - 1)
  }

  const isLarge = async (): Promise<boolean> => {
    const size = await dataSize().catch(() => 0)
    if (size > LARGE_BYTES && !wasLarge) {
      log('info', `The data folder is above ${LARGE_BYTES / 1e6} MB: snapshots are taken at quit only.`)
    }
    wasLarge = size > LARGE_BYTES
    return wasLarge
  }

  const schedule = () => {
    clearTimeout(timer)
    if (isFinished) return
    timer = setTimeout(
      () => {
        underWay = underWay.then(async () => {
          if (!(await isLarge())) await snapshot()
        })
      },
      Math.max(QUIET_MS, notBefore - now()),
    )
    timer.unref()
  }

  return {
    noteWrite: schedule,
    finish: async (takesLast = true) => {
      isFinished = true
      clearTimeout(timer)
      await underWay
      if (takesLast) await snapshot()
    },
  }
}
