import type { PGlite } from '@electric-sql/pglite'
import type { EmailDriver } from '@supabase/lite'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { FOLLOW_TABLES_SQL } from '#/backend/realtime/setup-sql'
import type { Secrets } from '#/backend/storage/secrets'
import { createLiteApp, LITE_VERSION, type LiteApp } from './lite-app'
import { checkHistory, type Migration, migrate } from './migrations'
import type { SchemaCache } from './schema-cache'
import { SETUP_SQL } from './setup'

export interface PrepareOptions {
  secrets: Secrets
  email: EmailDriver
  siteUrl: string
  migrations: Migration[]
  schemaCache: SchemaCache
}

/** An opened database that is ready to serve: lite on it, roles, and every migration applied. */
export interface ServedDatabase {
  connection: PgliteConnection
  lite: LiteApp
  /** Versions of the migrations that this start applied. */
  migrated: string[]
}

/** Brings an opened database to where it can serve. Refuses newer and superseded data before it changes anything. */
export async function prepareDatabase(
  connection: PgliteConnection,
  { secrets, email, siteUrl, migrations, schemaCache }: PrepareOptions,
): Promise<ServedDatabase> {
  const pg = connection.driver
  await checkHistory(pg, migrations)
  connection.config.schemaCache = schemaCache
  const lite = createLiteApp(connection, { secrets, email, siteUrl })
  await ensureSystemSchema(pg, lite)
  await pg.exec(SETUP_SQL)
  const migrated = await migrate(pg, migrations)
  if (migrated.length > 0) {
    await pg.exec(FOLLOW_TABLES_SQL)
    await schemaCache.forget()
    await connection.clearSchemaCache()
  }
  // Reads the schema now, or the first request would wait for it.
  await connection.introspect({ useCache: true })
  return { connection, lite, migrated }
}

/** Serves a database that `prepareDatabase` has already prepared. */
export async function resumeDatabase(
  connection: PgliteConnection,
  { secrets, email, siteUrl, schemaCache }: Omit<PrepareOptions, 'migrations'>,
): Promise<ServedDatabase> {
  connection.config.schemaCache = schemaCache
  const lite = createLiteApp(connection, { secrets, email, siteUrl })
  await lite.init()
  await connection.introspect({ useCache: true })
  return { connection, lite, migrated: [] }
}

/** What the schema auth says of itself once this version of lite has made it; a snapshot takes it along. */
const MADE = `made by @supabase/lite ${LITE_VERSION}`

/** Lite looks at each table of its own anew: a tenth of a second at every start, if it had to. */
async function ensureSystemSchema(pg: PGlite, lite: LiteApp): Promise<void> {
  const { rows } = await pg.query<{ about: string | null }>(
    `select pg_catalog.obj_description(to_regnamespace('auth'), 'pg_namespace') as about`,
  )
  if (rows[0]?.about === MADE) return lite.init()
  await lite.ensureSystemSchema()
  await pg.exec(`comment on schema auth is '${MADE}'`)
}
