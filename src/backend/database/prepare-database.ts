import { createHash } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import type { EmailDriver } from '@supabase/lite'
import type { PgliteConnection } from '@supabase/lite/pglite'
import type { BackendLog } from '#/backend/base/log'
import type { DataFolder } from '#/backend/storage/data-folder'
import type { Secrets } from '#/backend/storage/secrets'
import { keepCopy } from '#/backend/storage/snapshots'
import { createLiteApp, LITE_VERSION, type LiteApp } from './lite-app'
import { checkHistory, type Migration, migrate } from './migrations'
import type { SchemaCache } from './schema-cache'
import { SETUP_SQL } from './setup'
import { REALTIME_LEFTOVER_BYTES, WATCH_RIGHTS_SQL } from './setup-realtime'

export interface PrepareOptions {
  secrets: Secrets
  email: EmailDriver
  siteUrl: string
  migrations: Migration[]
  schemaCache: SchemaCache
  folder: DataFolder
  migrationsDir: string
  log: BackendLog
}

/** A database with lite, roles and all migrations. */
export interface ServedDatabase {
  connection: PgliteConnection
  lite: LiteApp
  /** Versions of the migrations applied by this start. */
  migrated: string[]
}

/** Applies the setup and the migrations. Throws before changing anything if the data cannot be upgraded. */
export async function prepareDatabase(
  connection: PgliteConnection,
  { secrets, email, siteUrl, migrations, schemaCache, folder, migrationsDir, log }: PrepareOptions,
): Promise<ServedDatabase> {
  const pg = connection.driver
  const replaced = await checkHistory(pg, migrations, { root: folder.root, migrationsDir })
  if (replaced !== null) await keepCopy(folder.snapshots, pg, log)
  connection.config.schemaCache = schemaCache
  const lite = createLiteApp(connection, { secrets, email, siteUrl })
  const isSetupNew = await ensureSystem(pg, lite)
  const migrated = await migrate(pg, migrations, replaced)
  if (isSetupNew || migrated.length > 0) await pg.exec(WATCH_RIGHTS_SQL)
  if (migrated.length > 0) {
    await schemaCache.clear()
    await connection.clearSchemaCache()
  }
  // Otherwise the first request would wait for the introspection.
  await connection.introspect({ useCache: true })
  return { connection, lite, migrated }
}

/** Reopens a database that `prepareDatabase` has already prepared. */
export async function resumeDatabase(
  connection: PgliteConnection,
  {
    secrets,
    email,
    siteUrl,
    schemaCache,
  }: Pick<PrepareOptions, 'secrets' | 'email' | 'siteUrl' | 'schemaCache'>,
): Promise<ServedDatabase> {
  connection.config.schemaCache = schemaCache
  const lite = createLiteApp(connection, { secrets, email, siteUrl })
  await lite.init()
  await connection.introspect({ useCache: true })
  return { connection, lite, migrated: [] }
}

/** The comment on the schema auth after this version of lite and this setup have been applied. */
const CREATED_BY = `made by @supabase/lite ${LITE_VERSION} with the setup ${createHash('sha256')
  .update(SETUP_SQL + WATCH_RIGHTS_SQL)
  .digest('base64url')}`

/**
 * Applies lite's schema and the setup if they have changed, and returns whether they have. Lite would check each of its tables
 * at every start; with the setup, that takes a tenth of a second.
 */
async function ensureSystem(pg: PGlite, lite: LiteApp): Promise<boolean> {
  const { rows } = await pg.query<{ about: string | null; bytes: number | null }>(
    `select pg_catalog.obj_description(to_regnamespace('auth'), 'pg_namespace') as about,
      pg_catalog.pg_relation_size(to_regclass('realtime.messages')) as bytes`,
  )
  const { about = null, bytes = null } = rows[0] ?? {}
  if ((bytes ?? 0) > REALTIME_LEFTOVER_BYTES) await pg.exec('truncate realtime.messages')
  if (about === CREATED_BY) {
    await lite.init()
    return false
  }
  await lite.ensureSystemSchema()
  await pg.exec(SETUP_SQL)
  await pg.exec(`comment on schema auth is '${CREATED_BY}'`)
  return true
}
