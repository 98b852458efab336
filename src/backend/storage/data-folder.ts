import { chmod, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Everything a data folder holds, by absolute path. */
export interface DataFolder {
  root: string
  /** PostgreSQL's own files. */
  database: string
  /** Stands beside `database` until its first start is complete. */
  unfinished: string
  secrets: string
  /** What lite knows of the database's schema. */
  schemaCache: string
  lock: string
  mails: string
  snapshots: string
}

/** Creates the folder if it is missing. Only its owner can read it, also if an earlier version created it. */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const root = resolve(path)
  const snapshots = join(root, 'snapshots')
  await mkdir(snapshots, { recursive: true, mode: 0o700 })
  await chmod(root, 0o700)
  return {
    root,
    database: join(root, 'postgres'),
    unfinished: join(root, 'postgres.unfinished'),
    secrets: join(root, 'secrets.json'),
    schemaCache: join(root, 'schema-cache.json'),
    lock: join(root, 'lock.json'),
    mails: join(root, 'mails.txt'),
    snapshots,
  }
}
