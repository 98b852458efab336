import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { App } from '@supabase/lite'
import {
  checkHistory,
  type Migration,
  migrate,
  readMigrations,
  readReplaced,
} from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { openEmpty } from '#tests/backend/support/prepared'
import { type Community, communityOn } from './community'
import { MIGRATIONS } from './migrated-database'

/** Migrations from this version on are not part of the baseline. */
const AFTER_BASELINE = '20261202'

/** The last migration of 0.1 that changed what an app can use: all of them have landed, so it is never another one. */
const NEEDED_BEFORE_BASELINE = '20261128051900'

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

/** Opens a database with the migrations of 0.1 before a version. */
export async function openEarlier(version: string): Promise<EarlierDatabase & { community: Community }> {
  const pg = await openUnmigrated()
  const earlier = (await readReplaced(MIGRATIONS)).filter((each) => each.version < version)
  await migrate(pg, earlier)
  const migrations = await readMigrations(MIGRATIONS)
  const community = communityOn(pg)
  return {
    ...community,
    community,
    upgrade: async () =>
      migrate(pg, migrations, await checkHistory(pg, migrations, { root: '', migrationsDir: MIGRATIONS })),
  }
}

/** The ways to the current schema: of a server of 0.1, of a new one, and by the files that define it. */
const WAYS = {
  'the migrations of 0.1 and later ones': readChanges,
  'supabase/migrations': () => readMigrations(MIGRATIONS),
  'supabase/schemas': readSchemas,
}

export type Way = keyof typeof WAYS

/** Opens a database with the current schema, without what the embedded server adds after migrations. */
export async function openBy(way: Way, setUp = ''): Promise<PGlite> {
  const pg = await openUnmigrated()
  await pg.exec(setUp)
  await migrate(pg, await WAYS[way]())
  return pg
}

/** All migrations without the baseline, which changes nothing. */
export async function readChanges(): Promise<Migration[]> {
  return [...(await readReplaced(MIGRATIONS)), ...(await readLater())]
}

async function readLater(): Promise<Migration[]> {
  return (await readMigrations(MIGRATIONS)).filter(({ version }) => version >= AFTER_BASELINE)
}

/** The source of the schema, by subject. */
export function readSchemas(): Promise<Migration[]> {
  return readMigrations(join(MIGRATIONS, '../schemas'))
}

/**
 * The current schema by `supabase/migrations`, and the content of src/shared/schema-version.ts. scripts/types.mjs imports it at run time,
 * which knip does not see.
 * @public
 * @param exposed reads what an app can use
 */
export async function openWithVersions(
  exposed: (pg: PGlite) => Promise<string>,
): Promise<{ pg: PGlite; versions: string }> {
  const pg = await openUnmigrated()
  const migrations = await readMigrations(MIGRATIONS)
  await migrate(
    pg,
    migrations.filter(({ version }) => version < AFTER_BASELINE),
  )
  let [needed, before] = [NEEDED_BEFORE_BASELINE, await exposed(pg)]
  for (const migration of await readLater()) {
    await migrate(pg, [migration])
    const after = await exposed(pg)
    if (after !== before) [needed, before] = [migration.version, after]
  }
  const versions = `/** Generated from supabase/migrations by \`npm run types\`. Do not edit. */

/** The oldest migration of \`supabase/migrations\`. Older ones are of 0.1 (docs/upgrading.md). */
export const FIRST_SCHEMA_VERSION = '${migrations[0]?.version}'

/** The newest migration of \`supabase/migrations\`. */
export const SCHEMA_VERSION = '${migrations.at(-1)?.version}'

/** The last migration of 0.1, after which a database has the schema of the baseline. */
export const LAST_BEFORE_BASELINE = '${(await readReplaced(MIGRATIONS)).at(-1)?.version}'

/** The newest migration that changed what an app can use (src/backend/rest/exposed-schema.json): with an older one this app fails. */
export const NEEDED_VERSION = '${needed}'
`
  return { pg, versions }
}
