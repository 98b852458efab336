import type { PGlite, Results } from '@electric-sql/pglite'

/** Lite's statement for a setting of a request's transaction. */
const SETTING = /^SELECT set_config\('([\w.]+)', (?:\$1|''), true\)$/
const LOCAL_ROLE = /^SET LOCAL ROLE "?(\w+)"?$/
const TRANSACTION = /^(?:BEGIN|COMMIT|ROLLBACK)$/

const NO_ROWS: Results<never> = { rows: [], fields: [], affectedRows: 0 }

/**
 * Merges the settings of a transaction into one statement. Lite sends five to ten of them for each request, and each takes
 * as long as a small query.
 */
export function mergeSettings(pg: PGlite): void {
  const query = pg.query.bind(pg)
  const pending = new Map<string, unknown>()

  const flush = async () => {
    const calls = [...pending.keys()].map((name, index) => `set_config('${name}', $${index + 1}, true)`)
    const values = [...pending.values()]
    pending.clear()
    await query(`select ${calls.join(', ')}`, values)
  }

  pg.query = async <Row>(sql: string, ...rest: [parameters?: unknown[], options?: object]) => {
    const setting = SETTING.exec(sql)?.[1]
    if (setting !== undefined) {
      pending.set(setting, rest[0]?.[0] ?? '')
      return NO_ROWS
    }
    const role = LOCAL_ROLE.exec(sql)?.[1]
    if (role !== undefined && role === pending.get('role')) return NO_ROWS
    if (TRANSACTION.test(sql)) pending.clear()
    else if (pending.size > 0) await flush()
    return query<Row>(sql, ...rest)
  }
}
