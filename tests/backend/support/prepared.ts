import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { file_fdw } from '@electric-sql/pglite/contrib/file_fdw'
import { isn } from '@electric-sql/pglite/contrib/isn'
import { ltree } from '@electric-sql/pglite/contrib/ltree'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { openDatabase } from '#/backend/database/connection'
import { hashMigrations, readMigrations } from '#/backend/database/migrations'
import { createSchemaCache } from '#/backend/database/schema-cache'
import { SETUP_SQL } from '#/backend/database/setup'
import { WATCH_RIGHTS_SQL } from '#/backend/database/setup-realtime'
import { findTemplate, templateSchema, writeTemplate } from '#/backend/database/template'
import { unpackDump } from '#/backend/storage/unpack-dump'
import { isBuilt } from '../../../scripts/lib/build.mjs'

const ROOT = resolve(import.meta.dirname, '../../..')
const CACHE = join(ROOT, 'node_modules/.cache/vignette')
const BUILT = join(ROOT, 'out/backend/template')
const DUMP = 'database.tar'
const MIGRATIONS = join(ROOT, 'supabase/migrations')

// vite.backend.config.ts leaves the same ones out of the bundle: unpacking and compiling them takes a quarter of each start.
for (const unused of [file_fdw, isn, ltree, pgcrypto]) Object.assign(unused, { setup: async () => ({}) })

/** Cached databases, rebuilt when their inputs change. */
interface Prepared {
  /** The folder with the files and the dump of a database after initdb, which takes twice as long as all migrations. */
  empty: string
  /** The dump of the migrated database. */
  migrated: string
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
  // It contains the versions of PGlite and lite.
  const packages = await readFile(join(ROOT, 'package.json'))
  const empty = await cached('empty', [packages], async (draft) => {
    await writeDump(await openDatabase(join(draft, 'postgres')), draft)
  })
  const ingredients = [migrationsHash, SETUP_SQL, WATCH_RIGHTS_SQL, packages]
  const folder = await cached('migrated', ingredients, async (draft) => {
    if (isBuilt()) copyFolder(BUILT, join(draft, 'template'))
    else await writeTemplate(join(draft, 'template'), MIGRATIONS)
    const dump = await findTemplate(join(draft, 'template'), migrationsHash)
    if (dump === null) throw new Error('The template that was just written is not there')
    const database = join(draft, 'postgres')
    await unpackDump(dump, database)
    await writeDump(await openDatabase(database), draft)
  })
  return {
    empty,
    migrated: join(folder, DUMP),
    template: join(folder, 'template'),
    database: join(folder, 'postgres'),
    migrationsHash,
  }
}

/** A folder for these ingredients, filled by `make` if it is not there yet. */
async function cached(
  name: string,
  ingredients: (string | Buffer)[],
  make: (draft: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256')
  for (const ingredient of ingredients) hash.update(ingredient)
  const folder = join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`)
  if (await stat(folder).then(Boolean, () => false)) return folder
  const draft = `${folder}.${process.pid}`
  await mkdir(draft, { recursive: true })
  await make(draft)
  // Another process may have finished the same folder first.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  return folder
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

/** Fills an empty data folder with a database as initdb leaves it: without a template, a first start takes seconds longer. */
export async function copyEmptyDatabase(dataDir: string): Promise<void> {
  copyFolder(join((await prepare()).empty, 'postgres'), join(dataDir, 'postgres'))
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
  const { migrated, template, migrationsHash } = await prepare()
  const connection = await openDump(migrated)
  connection.config.schemaCache = createSchemaCache(templateSchema(template), migrationsHash)
  return connection
}

/** Opens an in-memory PostgreSQL as initdb leaves it. */
export async function openEmpty(): Promise<PgliteConnection> {
  return openDump(join((await prepare()).empty, DUMP))
}

/** PGlite reads all of a dump at once, and the parts of a Blob would be copied for each database. */
class Dump extends Blob {
  readonly #content: ArrayBuffer

  constructor(content: ArrayBuffer) {
    super([], { type: 'application/x-tar' })
    this.#content = content
  }

  override arrayBuffer = async () => this.#content
}

const dumps = new Map<string, Promise<Dump>>()

async function readDump(file: string): Promise<Dump> {
  const { buffer, byteOffset, byteLength } = await readFile(file)
  return new Dump(buffer.slice(byteOffset, byteOffset + byteLength))
}

async function openDump(file: string): Promise<PgliteConnection> {
  const dump = dumps.get(file) ?? readDump(file)
  dumps.set(file, dump)
  return openDatabase('memory://', { content: await dump })
}

async function writeDump(connection: PgliteConnection, folder: string): Promise<void> {
  const dump = await connection.driver.dumpDataDir('none')
  await connection.close()
  await writeFile(join(folder, DUMP), new Uint8Array(await dump.arrayBuffer()))
}
