import { chmod, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Absolute paths of a data folder's contents. */
export interface DataFolder {
  root: string
  /** PostgreSQL's files. */
  database: string
  /** Marker file that exists until the setup of `database` is complete. */
  unfinished: string
  secrets: string
  /** Lite's cached introspection of the database schema. */
  schemaCache: string
  lock: string
  mails: string
  snapshots: string
  /** Contents of the objects in Storage. */
  objects: string
}

/** Creates the folder if it is missing. Makes it readable by its owner only, even if it already exists. */
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
    objects: join(root, 'objects'),
  }
}
