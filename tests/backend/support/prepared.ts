import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { openDatabase } from '#/backend/database/connection'
import { hashMigrations, readMigrations } from '#/backend/database/migrations'
import { createSchemaCache } from '#/backend/database/schema-cache'
import { SETUP_SQL } from '#/backend/database/setup'
import { WATCH_RIGHTS_SQL } from '#/backend/database/setup-realtime'
import { findTemplate, templateSchema, writeTemplate } from '#/backend/database/template'
import { unpackDump } from '#/backend/storage/unpack-dump'

const ROOT = resolve(import.meta.dirname, '../../..')
const CACHE = join(ROOT, 'node_modules/.cache/vignette')
const MIGRATIONS = join(ROOT, 'supabase/migrations')

/** A cached migrated database, rebuilt when its inputs change. */
interface Prepared {
  /** The template for a first start, as in the build. */
  template: string
  /** The unpacked template: the PostgreSQL files of a data folder. */
  database: string
  migrationsHash: string
}

let prepared: Promise<Prepared> | undefined

/** Migrating a database takes several seconds, unpacking one takes a second, copying an unpacked one a tenth of that. */
export function prepare(): Promise<Prepared> {
  prepared ??= findOrMake()
  return prepared
}

async function findOrMake(): Promise<Prepared> {
  const migrationsHash = hashMigrations(await readMigrations(MIGRATIONS))
  // package.json contains the versions of PGlite and lite.
  const ingredients = [
    migrationsHash,
    SETUP_SQL,
    WATCH_RIGHTS_SQL,
    await readFile(join(ROOT, 'package.json')),
  ]
  const hash = createHash('sha256')
  for (const ingredient of ingredients) hash.update(ingredient)
  const folder = join(CACHE, `prepared-${hash.digest('hex').slice(0, 16)}`)
  const isThere = await stat(folder).then(Boolean, () => false)
  if (!isThere) {
    const draft = `${folder}.${process.pid}`
    await mkdir(draft, { recursive: true })
    await writeTemplate(join(draft, 'template'), MIGRATIONS)
    const dump = await findTemplate(join(draft, 'template'), migrationsHash)
    if (dump === null) throw new Error('The template that was just written is not there')
    await unpackDump(dump, join(draft, 'postgres'))
    await (await openDatabase(join(draft, 'postgres'))).close()
    // Another process may have finished the same folder first.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  }
  return { template: join(folder, 'template'), database: join(folder, 'postgres'), migrationsHash }
}

/** The folder of the template for the current migrations. */
export async function preparedTemplate(): Promise<string> {
  return (await prepare()).template
}

/** Fills an empty data folder with a migrated database without members, as after a first start of the backend. */
export async function copyPreparedDatabase(dataDir: string): Promise<void> {
  const { database } = await prepare()
  copyFolder(database, join(dataDir, 'postgres'))
}

/** Copies a folder of small files four times as fast as `fs.cp`. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else copyFileSync(source, target)
  }
}

/** Opens an in-memory PostgreSQL with Supabase's auth schema and roles and all migrations of this working copy. */
export async function openMigrated(): Promise<PgliteConnection> {
  const { template, migrationsHash } = await prepare()
  const dump = await findTemplate(template, migrationsHash)
  if (dump === null) throw new Error(`${template} is broken; remove it`)
  const content = new Blob([await readFile(dump)], { type: 'application/x-gzip' })
  const connection = await openDatabase('memory://', { content })
  connection.config.schemaCache = createSchemaCache(templateSchema(template), migrationsHash)
  return connection
}
