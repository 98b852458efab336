// @ts-check
import { join } from 'node:path'
import { importTypeScript } from './import-typescript.mjs'
import { ROOT } from './paths.mjs'

/** @typedef {typeof import('../../tests/backend/schema/support/migrated-database.ts')} Support */

/**
 * Calls `use` with a database in memory on which this working copy's migrations have run; closes it afterwards.
 * @template T
 * @param {(pg: import('@electric-sql/pglite').PGlite, support: Support) => Promise<T>} use
 */
export async function withMigratedDatabase(use) {
  /** @type {Support} */
  const support = await importTypeScript(join(ROOT, 'tests/backend/schema/support/migrated-database.ts'))
  const pg = await support.openMigratedDatabase()
  try {
    return await use(pg, support)
  } finally {
    await pg.close()
  }
}
