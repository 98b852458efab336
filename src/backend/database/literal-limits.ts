import type { PGlite } from '@electric-sql/pglite'

/** Quoted texts and names, limits that are parameters, and other parameters. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\blimit \$(\d+)|\$(\d+)/g

/**
 * Writes the limits of statements into their text. PostgreSQL assumes that a limit it does not know returns a tenth of all
 * rows, so a general plan of a prepared statement would look expensive, and it would plan each request again.
 */
export function writeLimits(pg: PGlite): void {
  const query = pg.query.bind(pg)
  pg.query = <Row>(sql: string, parameters?: unknown[], options?: object) =>
    parameters === undefined
      ? query<Row>(sql, parameters, options)
      : query<Row>(...withLiteralLimits(sql, parameters), options)
}

/** The statement with its limits as literals, and the parameters that are left, renumbered. */
export function withLiteralLimits(
  sql: string,
  parameters: readonly unknown[],
): [sql: string, parameters: unknown[]] {
  // Most statements have none.
  if (!sql.includes('limit $')) return [sql, [...parameters]]
  const isLimit = new Set<number>()
  for (const [, limit] of sql.matchAll(TOKEN)) {
    if (limit !== undefined && isCount(parameters[Number(limit) - 1])) isLimit.add(Number(limit))
  }
  if (isLimit.size === 0) return [sql, [...parameters]]
  const numbers = new Map<number, number>()
  const left: unknown[] = []
  parameters.forEach((value, index) => {
    if (isLimit.has(index + 1)) return
    left.push(value)
    numbers.set(index + 1, left.length)
  })
  const text = sql.replace(TOKEN, (token, limit?: string, other?: string) => {
    const number = Number(limit ?? other)
    if (limit !== undefined && isLimit.has(number)) return `limit ${parameters[number - 1]}`
    return Number.isNaN(number) ? token : token.replace(/\d+$/, String(numbers.get(number)))
  })
  return [text, left]
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
