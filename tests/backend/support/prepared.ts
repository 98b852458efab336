import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { openDatabase } from '#/backend/database/connection'
import { hashMigrations, readMigrations } from '#/backend/database/migrations'
import { createSchemaCache } from '#/backend/database/schema-cache'
import { SETUP_SQL } from '#/backend/database/setup'
import { readTemplate, templateSchema, writeTemplate } from '#/backend/database/template'
import { FOLLOW_TABLES_SQL } from '#/backend/realtime/setup-sql'

const ROOT = resolve(import.meta.dirname, '../../..')
const CACHE = join(ROOT, 'node_modules/.cache/vignette')
const MIGRATIONS = join(ROOT, 'supabase/migrations')

/** A migrated database, made once and kept as long as nothing that it is made of changes. */
interface Prepared {
  /** Template of a first start, as the build has one. */
  template: string
  /** The same, unpacked: PostgreSQL's files of a data folder. */
  database: string
  migrationsHash: string
}

let prepared: Promise<Prepared> | undefined

/** Migrating a database takes seconds, unpacking one a second, copying an unpacked one a tenth. */
export function prepare(): Promise<Prepared> {
  prepared ??= findOrMake()
  return prepared
}

async function findOrMake(): Promise<Prepared> {
  const migrationsHash = hashMigrations(await readMigrations(MIGRATIONS))
  // package.json names the versions of PGlite and lite.
  const ingredients = [
    migrationsHash,
    SETUP_SQL,
    FOLLOW_TABLES_SQL,
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
    const content = await readTemplate(join(draft, 'template'), migrationsHash)
    if (content === null) throw new Error('The template that was just written is not there')
    await (await openDatabase(join(draft, 'postgres'), { content })).close()
    // Another process may have been quicker; its folder is as good.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  }
  return { template: join(folder, 'template'), database: join(folder, 'postgres'), migrationsHash }
}

/** Folder of a prepared first start for the migrations as they are. */
export async function preparedTemplate(): Promise<string> {
  return (await prepare()).template
}

/** Fills an empty data folder with a migrated database without members, as if a backend had been started on it once. */
export async function copyPreparedDatabase(dataDir: string): Promise<void> {
  const { database } = await prepare()
  copyFolder(database, join(dataDir, 'postgres'))
}

/** Hundreds of small files: `fs.cp` takes four times as long. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else copyFileSync(source, target)
  }
}

/** A PostgreSQL in memory with Supabase's auth schema and roles, on which this working copy's migrations have run. */
export async function openMigrated(): Promise<PgliteConnection> {
  const { template, migrationsHash } = await prepare()
  const content = await readTemplate(template, migrationsHash)
  if (content === null) throw new Error(`${template} is broken; remove it`)
  const connection = await openDatabase('memory://', { content })
  connection.config.schemaCache = createSchemaCache(templateSchema(template), migrationsHash)
  return connection
}
