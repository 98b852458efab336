import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { writeDurably } from './durable-file'

/** `2026-11-20T08-30-00-000Z.tar.gz`: when it was taken, in a form every file system takes, so names sort by age. */
const FILE_NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar\.gz$/
const UNFINISHED = /\.tmp$/
const KEPT = 3

export interface Snapshot {
  path: string
  /** ISO time. */
  takenAt: string
}

/**
 * The snapshots of a folder, newest first. Those of a time to come were taken while the clock was ahead: they count as
 * older than all others, or each new one would at once be past the third.
 */
export async function listSnapshots(folder: string, now: Date = new Date()): Promise<Snapshot[]> {
  const names = await readdir(folder)
  const snapshots = names
    .filter((name) => FILE_NAME.test(name))
    .sort()
    .reverse()
    .map((name) => ({ path: join(folder, name), takenAt: name.replace(FILE_NAME, '$1T$2:$3:$4.$5Z') }))
  const isEarly = ({ takenAt }: Snapshot) => Date.parse(takenAt) > now.getTime()
  return [...snapshots.filter((snapshot) => !isEarly(snapshot)), ...snapshots.filter(isEarly)]
}

/**
 * Reads a gzipped dump as the plain archive that PGlite unpacks; rejects when it is damaged. Given the compressed one,
 * PGlite fails where nobody can catch it.
 */
export async function readDump(path: string): Promise<Blob> {
  return new Blob([await promisify(gunzip)(await readFile(path))], { type: 'application/x-tar' })
}

/**
 * Writes a snapshot, then removes those past the third and the files of an interrupted one. Compresses it here, because nobody can use
 * the database while its thread makes the dump.
 * @param dump a tar archive
 */
export async function writeSnapshot(folder: string, dump: Uint8Array, takenAt: Date): Promise<Snapshot> {
  const name = `${takenAt.toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`
  const path = join(folder, name)
  await writeDurably(path, await promisify(gzip)(dump))
  const outdated = (await listSnapshots(folder, takenAt)).slice(KEPT).map((snapshot) => snapshot.path)
  const unfinished = (await readdir(folder)).filter((file) => UNFINISHED.test(file))
  for (const file of [...outdated, ...unfinished.map((unfinishedName) => join(folder, unfinishedName))]) {
    await rm(file, { force: true })
  }
  return { path, takenAt: takenAt.toISOString() }
}

/** The bytes of all files below a folder. */
export async function folderSize(folder: string): Promise<number> {
  let total = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += (await stat(join(entry.parentPath, entry.name))).size
  }
  return total
}
