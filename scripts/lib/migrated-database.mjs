// @ts-check
import { join } from 'node:path'
import { importTypeScript } from './import-typescript.mjs'
import { ROOT } from './paths.mjs'

/** @typedef {typeof import('../../tests/supabase/schema/support/migrated-database.ts')} Support */

/**
 * Calls `use` with an in-memory database that has all migrations of this working copy, then closes it.
 * @template T
 * @param {(pg: import('@electric-sql/pglite').PGlite, support: Support) => Promise<T>} use
 */
export async function withMigratedDatabase(use) {
  /** @type {Support} */
  const support = await importTypeScript(join(ROOT, 'tests/supabase/schema/support/migrated-database.ts'))
  const pg = await support.openMigratedDatabase()
  try {
    return await use(pg, support)
  } finally {
    await pg.close()
  }
}
