import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { PGlite } from '@electric-sql/pglite'
import { type BackendLog, describeError } from '#/backend/base/log'
import { writeFileAtomic } from './write-file-atomic'

/** `2026-11-20T08-30-00-000Z.tar.gz`: ISO time without colons, which Windows forbids. */
const FILE_NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar\.gz$/
const UNFINISHED = /\.tmp$/
const SNAPSHOTS_MAX = 3

export interface Snapshot {
  path: string
  /** ISO time. */
  takenAt: string
}

/**
 * The snapshots of a folder, newest first. Snapshots with a time in the future were taken while the clock was wrong: they
 * come last, because new snapshots would otherwise be deleted at once.
 */
export async function listSnapshots(folder: string, now: Date = new Date()): Promise<Snapshot[]> {
  const names = await readdir(folder)
  const snapshots = names
    .filter((name) => FILE_NAME.test(name))
    .sort()
    .reverse()
    .map((name) => ({ path: join(folder, name), takenAt: name.replace(FILE_NAME, '$1T$2:$3:$4.$5Z') }))
  const isInFuture = ({ takenAt }: Snapshot) => Date.parse(takenAt) > now.getTime()
  return [...snapshots.filter((snapshot) => !isInFuture(snapshot)), ...snapshots.filter(isInFuture)]
}

/**
 * Writes a snapshot, then removes outdated snapshots and the files of interrupted ones. Compresses the dump here, because
 * the database thread cannot serve requests meanwhile.
 * @param dump a tar archive
 */
export async function writeSnapshot(folder: string, dump: Uint8Array, takenAt: Date): Promise<Snapshot> {
  const name = `${takenAt.toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`
  const path = join(folder, name)
  await writeFileAtomic(path, await promisify(gzip)(dump))
  const unfinished = (await readdir(folder)).filter((file) => UNFINISHED.test(file))
  for (const outdated of (await listSnapshots(folder, takenAt)).slice(SNAPSHOTS_MAX))
    await rm(outdated.path, { force: true })
  for (const file of unfinished) await rm(join(folder, file), { force: true })
  return { path, takenAt: takenAt.toISOString() }
}

/**
 * Keeps the data of 0.1 beside the snapshots that rotate, for the former build (docs/upgrading.md). An earlier copy stays: it is from
 * before an upgrade that did not finish. Without room for one the upgrade goes on: each migration is one transaction.
 */
export async function keepCopy(folder: string, pg: PGlite, log: BackendLog): Promise<void> {
  const path = join(folder, 'before-0.2.tar.gz')
  if (existsSync(path)) return
  try {
    await pg.exec('checkpoint')
    const dump = await pg.dumpDataDir('gzip')
    await writeFileAtomic(path, new Uint8Array(await dump.arrayBuffer()))
  } catch (error) {
    log('warn', `No copy of the data was kept before its upgrade: ${describeError(error)}`)
  }
}

/** Bytes of all files below a folder. */
export async function folderSize(folder: string): Promise<number> {
  let total = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += (await stat(join(entry.parentPath, entry.name))).size
  }
  return total
}
