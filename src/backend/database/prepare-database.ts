import type { EmailDriver } from '@supabase/lite'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { FOLLOW_TABLES_SQL } from '#/backend/realtime/setup-sql'
import type { Secrets } from '#/backend/storage/secrets'
import { createLiteApp, type LiteApp } from './lite-app'
import { type Migration, migrate, refuseNewerData } from './migrations'
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

/** Brings an opened database to where it can serve. Refuses newer data before it changes anything. */
export async function prepareDatabase(
  connection: PgliteConnection,
  { secrets, email, siteUrl, migrations, schemaCache }: PrepareOptions,
): Promise<ServedDatabase> {
  const pg = connection.driver
  await refuseNewerData(pg, migrations)
  connection.config.schemaCache = schemaCache
  const lite = createLiteApp(connection, { secrets, email, siteUrl })
  await lite.ensureSystemSchema()
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
