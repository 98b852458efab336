import { App } from '@supabase/lite'
import { migrate, readMigrations } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { openEmpty } from '#tests/backend/support/prepared'
import { type Community, communityOn } from './community'
import { MIGRATIONS } from './migrated-database'

/** Opens a database with the migrations before a version. `upgrade` applies the others. */
export async function openEarlier(
  version: string,
): Promise<{ community: Community; upgrade: () => Promise<unknown> }> {
  const connection = await openEmpty()
  await new App({ connection, auth: { enabled: true } }).ensureSystemSchema()
  await connection.driver.exec(SETUP_SQL)
  const migrations = await readMigrations(MIGRATIONS)
  await migrate(
    connection.driver,
    migrations.filter((each) => each.version < version),
  )
  return {
    community: communityOn(connection.driver),
    upgrade: () => migrate(connection.driver, migrations),
  }
}
