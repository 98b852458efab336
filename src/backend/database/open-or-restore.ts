import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { BackendError } from '#/backend/base/backend-error'
import { type BackendLog, describeError } from '#/backend/base/log'
import type { DataFolder } from '#/backend/storage/data-folder'
import { listSnapshots, type Snapshot } from '#/backend/storage/snapshots'
import { unpackDump } from '#/backend/storage/unpack-dump'
import { dataVersion, openDatabase } from './connection'
import { isDamage, isMachineError, PrepareError } from './open-errors'

/** The major version of PostgreSQL inside the pinned PGlite. Another major version cannot read its files. */
const POSTGRES_MAJOR = 17

/** With less than this free, in bytes, PostgreSQL may fail to open intact data, and a snapshot would not fit. */
const FREE_BYTES_MIN = 64 * 1024 * 1024

export interface OpenedDatabase<Ready> {
  ready: Ready
  /** Whether this is the folder's first start. */
  isNew: boolean
  /** ISO time of the snapshot that was restored, or null. */
  restoredFrom: string | null
}

export interface OpenOrRestoreOptions<Ready> {
  folder: DataFolder
  /** Finds the dump of the prepared database for a new folder, if there is one. Called only for a new folder. */
  findTemplate: () => Promise<string | null>
  /** Restores the newest snapshot, even if the data opens. */
  restore?: boolean
  /** Prepares an opened database for requests. Data that it cannot read counts as damaged. */
  prepare: (connection: PgliteConnection, isNew: boolean) => Promise<Ready>
  log: BackendLog
  /** PGlite's compiled WebAssembly. */
  wasmModule?: WebAssembly.Module
  /** Free bytes of the disk with a folder; by default the system's answer. */
  freeBytes?: (path: string) => Promise<number>
}

/**
 * Opens a data folder, or sets up a new one. If the data does not open, moves it aside and restores the newest snapshot that opens.
 * Data that opens is moved aside only if `prepare` fails because of the data. Otherwise throws a BackendError with the reason, or
 * the error of the machine or of `prepare`.
 */
export async function openOrRestore<Ready>(
  options: OpenOrRestoreOptions<Ready>,
): Promise<OpenedDatabase<Ready>> {
  const { folder, log } = options
  const isInterrupted = await exists(folder.unfinished)
  if (isInterrupted) await rm(folder.database, { recursive: true, force: true })

  if (!(await exists(folder.database))) {
    const hasSnapshots = (await listSnapshots(folder.snapshots)).length > 0
    if (hasSnapshots) return restore(options, new Error('The database files are missing'))
    const ready = await setUp(options, true, await options.findTemplate())
    return { ready, isNew: true, restoredFrom: null }
  }

  if (options.restore === true) return restore(options, new Error('A snapshot was asked for'))
  const version = await dataVersion(folder.database)
  if (Number(version) > POSTGRES_MAJOR)
    throw new BackendError(
      'newer',
      'This data folder was written by a newer version of Vignette. Please update the app to open it. Nothing was changed.',
    )
  try {
    // PGlite treats a folder without this file as empty, and would set up another database over the other files.
    if (version === null) throw new Error('PG_VERSION is missing')
    return { ready: await openAndPrepare(options, false), isNew: false, restoredFrom: null }
  } catch (error) {
    if (error instanceof BackendError || isMachineError(error)) throw error
    if (error instanceof PrepareError && !isDamage(error.cause)) throw error.cause
    await refuseFullDisk(options)
    log('error', `The data does not open: ${describeError(error)}`)
    return restore(options, error)
  }
}

/** PGlite does not always say that the disk was full. */
async function refuseFullDisk<Ready>({ folder, freeBytes }: OpenOrRestoreOptions<Ready>): Promise<void> {
  const free = freeBytes ?? (async (path) => statfs(path).then(({ bavail, bsize }) => bavail * bsize))
  if ((await free(folder.root)) >= FREE_BYTES_MIN) return
  throw new BackendError(
    'failed',
    `There is no space left on the disk with ${folder.root}. Free some and try again. Nothing was changed.`,
  )
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

/** Fills an empty folder. A marker file stays until it is complete, so that the next start repeats an interrupted set-up. */
async function setUp<Ready>(
  options: OpenOrRestoreOptions<Ready>,
  isNew: boolean,
  dump: string | null,
): Promise<Ready> {
  const { folder } = options
  await writeFile(folder.unfinished, '')
  if (dump !== null) await unpackDump(dump, folder.database)
  const ready = await openAndPrepare(options, isNew)
  await rm(folder.unfinished)
  return ready
}

async function openAndPrepare<Ready>(options: OpenOrRestoreOptions<Ready>, isNew: boolean): Promise<Ready> {
  const { folder, wasmModule } = options
  const connection = await openDatabase(folder.database, wasmModule === undefined ? {} : { wasmModule })
  try {
    return await options.prepare(connection, isNew)
  } catch (error) {
    await connection.close().catch(() => undefined)
    if (error instanceof BackendError || isMachineError(error)) throw error
    throw new PrepareError(error)
  }
}

async function restore<Ready>(
  options: OpenOrRestoreOptions<Ready>,
  reason: unknown,
): Promise<OpenedDatabase<Ready>> {
  const { folder, log } = options
  const snapshots = await listSnapshots(folder.snapshots)
  if (snapshots.length === 0) {
    throw new BackendError(
      'damaged',
      `The data in ${folder.root} does not open, and there is no snapshot to go back to. Nothing was changed.`,
      { cause: reason },
    )
  }
  const aside = `${folder.database}.damaged-${Date.now()}`
  const isSetAside = await exists(folder.database)
  if (isSetAside) await rename(folder.database, aside)
  try {
    for (const snapshot of snapshots) {
      const ready = await tryRestore(options, snapshot)
      if (ready === null) continue
      const kept = isSetAside ? ` and is kept in ${aside}` : ''
      log('warn', `The data did not open${kept}; the snapshot of ${snapshot.takenAt} was restored.`)
      return { ready: ready.value, isNew: false, restoredFrom: snapshot.takenAt }
    }
    throw new BackendError(
      'damaged',
      `The data in ${folder.root} does not open, and none of its snapshots does either. Nothing was changed.`,
      { cause: reason },
    )
  } catch (error) {
    if (isSetAside) await rename(aside, folder.database)
    throw error
  }
}

/** Returns null if the snapshot is damaged too. Throws any other failure. */
async function tryRestore<Ready>(
  options: OpenOrRestoreOptions<Ready>,
  snapshot: Snapshot,
): Promise<{ value: Ready } | null> {
  const { folder, log } = options
  try {
    return { value: await setUp(options, false, snapshot.path) }
  } catch (error) {
    await rm(folder.database, { recursive: true, force: true })
    await rm(folder.unfinished, { force: true })
    if (error instanceof BackendError || isMachineError(error)) throw error
    log('error', `The snapshot of ${snapshot.takenAt} does not open either: ${describeError(error)}`)
    return null
  }
}
