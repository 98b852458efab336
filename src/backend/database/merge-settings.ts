import type { PGlite, Results } from '@electric-sql/pglite'

/** How lite sets a parameter of a request's transaction. */
const SETTING = /^SELECT set_config\('([\w.]+)', (?:\$1|''), true\)$/
const LOCAL_ROLE = /^SET LOCAL ROLE "?(\w+)"?$/
const TRANSACTION = /^(?:BEGIN|COMMIT|ROLLBACK)$/

const NOTHING: Results<never> = { rows: [], fields: [], affectedRows: 0 }

/**
 * Sends the settings of a transaction as one statement, before the statement that follows them. Lite sends five to ten
 * of them for each request, and each takes as long as a small query.
 */
export function mergeSettings(pg: PGlite): void {
  const query = pg.query.bind(pg)
  const waiting = new Map<string, unknown>()

  const send = async () => {
    const calls = [...waiting.keys()].map((name, index) => `set_config('${name}', $${index + 1}, true)`)
    const values = [...waiting.values()]
    waiting.clear()
    await query(`select ${calls.join(', ')}`, values)
  }

  pg.query = async <Row>(sql: string, ...rest: [parameters?: unknown[], options?: object]) => {
    const setting = SETTING.exec(sql)?.[1]
    if (setting !== undefined) {
      waiting.set(setting, rest[0]?.[0] ?? '')
      return NOTHING
    }
    const role = LOCAL_ROLE.exec(sql)?.[1]
    if (role !== undefined && role === waiting.get('role')) return NOTHING
    if (TRANSACTION.test(sql)) waiting.clear()
    else if (waiting.size > 0) await send()
    return query<Row>(sql, ...rest)
  }
}
