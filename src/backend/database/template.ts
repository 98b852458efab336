import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'
import { createMailFile } from '#/backend/base/mail-file'
import { openDataFolder } from '#/backend/storage/data-folder'
import { loadSecrets } from '#/backend/storage/secrets'
import { openDatabase } from './connection'
import { hashMigrations, readMigrations } from './migrations'
import { prepareDatabase } from './prepare-database'
import { createSchemaCache } from './schema-cache'

/** The hash of a template's migrations. It is used for the same migrations only. */
const aboutSchema = z.strictObject({ migrations: z.string() })

const DUMP = 'database.tar.gz'
const ABOUT = 'about.json'

/** The file with lite's introspection of the template's schema. */
export const templateSchema = (folder: string): string => join(folder, 'schema.json')

/**
 * The dump of the template database for first starts; null if there is none for these migrations. Without it, initdb takes
 * seconds and doubles the memory of the process until it exits.
 */
export async function findTemplate(folder: string, migrationsHash: string): Promise<string | null> {
  try {
    const about = aboutSchema.parse(JSON.parse(await readFile(join(folder, ABOUT), 'utf8')))
    return about.migrations === migrationsHash ? join(folder, DUMP) : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Creates a database with the migrations of a folder and writes its dump. It contains no keys and no members. */
export async function writeTemplate(folder: string, migrationsDir: string): Promise<void> {
  const migrations = await readMigrations(migrationsDir)
  const scratch = await mkdtemp(join(tmpdir(), 'vignette-template-'))
  try {
    await mkdir(folder, { recursive: true })
    const data = await openDataFolder(scratch)
    const connection = await openDatabase(data.database)
    await prepareDatabase(connection, {
      secrets: await loadSecrets(data.secrets),
      email: createMailFile(data.mails),
      siteUrl: 'http://127.0.0.1',
      folder: data,
      migrationsDir,
      log: () => undefined,
      migrations,
      schemaCache: createSchemaCache(templateSchema(folder), hashMigrations(migrations)),
    })
    for (const unused of ['template0', 'template1'] as const) await dropDatabase(connection.driver, unused)
    await connection.driver.exec('vacuum (freeze, analyze)')
    // The log of all this has a segment of 16 MB and the next one: a new segment replaces both.
    for (const step of ['set wal_recycle = off', 'select pg_switch_wal()', 'checkpoint'])
      await connection.driver.exec(step)
    const dump = await connection.driver.dumpDataDir('gzip')
    await connection.close()
    // The schema cache was written for its owner only, but every user of the machine may read a template.
    await chmod(templateSchema(folder), 0o644)
    await writeFile(join(folder, DUMP), new Uint8Array(await dump.arrayBuffer()))
    await writeFile(join(folder, ABOUT), JSON.stringify({ migrations: hashMigrations(migrations) }))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** PostgreSQL needs these only for new databases. They are two thirds of the files that a first start writes. */
async function dropDatabase(pg: PGlite, name: 'template0' | 'template1'): Promise<void> {
  await pg.query('update pg_database set datistemplate = false where datname = $1', [name])
  await pg.exec(`drop database ${name}`)
}
