import type { PGlite } from '@electric-sql/pglite'
import { App } from '@supabase/lite'
import { migrate, readMigrations } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { openEmpty } from '#tests/backend/support/prepared'
import { type Community, communityOn } from './community'
import { MIGRATIONS } from './migrated-database'

async function openUnmigrated(): Promise<PGlite> {
  const connection = await openEmpty()
  await new App({ connection, auth: { enabled: true } }).ensureSystemSchema()
  await connection.driver.exec(SETUP_SQL)
  return connection.driver
}

/** A database of an earlier version of the app. */
export interface EarlierDatabase extends Pick<Community, 'as' | 'sql' | 'close'> {
  /** Applies the migrations that it lacks. */
  upgrade(): Promise<unknown>
}

/** Opens a database with the migrations before a version. */
export async function openEarlier(version: string): Promise<EarlierDatabase & { community: Community }> {
  const pg = await openUnmigrated()
  const migrations = await readMigrations(MIGRATIONS)
  await migrate(
    pg,
    migrations.filter((each) => each.version < version),
  )
  const community = communityOn(pg)
  return { ...community, community, upgrade: () => migrate(pg, migrations) }
}

/**
 * The content of src/shared/schema-version.ts. scripts/types.mjs imports it at run time, which knip does not see.
 * @public
 * @param exposed reads what an app can use
 */
export async function schemaVersions(exposed: (pg: PGlite) => Promise<string>): Promise<string> {
  const pg = await openUnmigrated()
  const migrations = await readMigrations(MIGRATIONS)
  let [needed, before] = ['', '']
  for (const migration of migrations) {
    await migrate(pg, [migration])
    const after = await exposed(pg)
    if (after !== before) [needed, before] = [migration.version, after]
  }
  await pg.close()
  return `/** Generated from supabase/migrations by \`npm run types\`. Do not edit. */

/** The oldest migration of \`supabase/migrations\`. A project with older ones was set up before they were squashed. */
export const FIRST_SCHEMA_VERSION = '${migrations[0]?.version}'

/** The newest migration of \`supabase/migrations\`. */
export const SCHEMA_VERSION = '${migrations.at(-1)?.version}'

/** The newest migration that changed what an app can use (src/backend/rest/exposed-schema.json): with an older one this app fails. */
export const NEEDED_VERSION = '${needed}'
`
}
