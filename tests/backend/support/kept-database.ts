import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { openDatabase } from '#/backend/database/connection'
import { createLiteApp } from '#/backend/database/lite-app'
import { hashMigrations, type Migration, migrate, readMigrations } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { randomSecret } from '#/backend/storage/secrets'

const ROOT = resolve(import.meta.dirname, '../../..')
const CACHE = join(ROOT, 'node_modules/.cache/vignette')

/**
 * A PostgreSQL in memory with Supabase's auth schema and roles, on which this working copy's migrations have run. That
 * takes seconds, so its dump is kept for the next test file, and for the next run while nothing of it has changed.
 */
export async function openMigrated(): Promise<PgliteConnection> {
  const migrations = await readMigrations(join(ROOT, 'supabase/migrations'))
  const file = join(CACHE, `migrated-${await ingredients(migrations)}.tar`)
  const kept = await readFile(file).catch(() => null)
  if (kept !== null) {
    return openDatabase('memory://', { content: new Blob([kept], { type: 'application/x-tar' }) })
  }
  const connection = await openDatabase('memory://')
  const secrets = {
    jwtSecret: randomSecret(48),
    publishableKey: `sb_publishable_${randomSecret(24)}`,
    secretKey: `sb_secret_${randomSecret(24)}`,
    demo: [],
  }
  const email = { send: async () => undefined }
  await createLiteApp(connection, { secrets, email, siteUrl: 'http://127.0.0.1' }).ensureSystemSchema()
  await connection.driver.exec(SETUP_SQL)
  await migrate(connection.driver, migrations)
  await connection.clearSchemaCache()
  const dump = await connection.driver.dumpDataDir('none')
  await mkdir(CACHE, { recursive: true })
  // Other workers may be reading or writing the same one.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, new Uint8Array(await dump.arrayBuffer()))
  await rename(draft, file).catch(() => rm(draft))
  return connection
}

/** Names the file by all that the database is made of; package.json names the versions of PGlite and lite. */
async function ingredients(migrations: Migration[]): Promise<string> {
  const hash = createHash('sha256').update(hashMigrations(migrations)).update(SETUP_SQL)
  hash.update(await readFile(join(ROOT, 'package.json')))
  return hash.digest('hex').slice(0, 16)
}
