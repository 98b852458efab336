// @ts-check
import { importTypeScript } from './import-typescript.mjs'

/** @typedef {typeof import('../../tests/supabase/schema/support/migrated-database.ts')} Support */

/**
 * Calls `use` with an in-memory database that has all migrations of this working copy, then closes it.
 * @template T
 * @param {(pg: import('@electric-sql/pglite').PGlite, support: Support) => Promise<T>} use
 */
export async function withMigratedDatabase(use) {
  /** @type {Support} */
  const support = await importTypeScript('tests/supabase/schema/support/migrated-database.ts')
  const pg = await support.openMigratedDatabase()
  try {
    return await use(pg, support)
  } finally {
    await pg.close()
  }
}
