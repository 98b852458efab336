import type { DemoQueries } from '#/backend/demo-context'

/** Well below the 65,535 parameters that one statement may have. */
const MOST_PARAMETERS = 2_000

/** Inserts rows of equal shape with as few statements as possible, so that statement triggers run seldom. */
export async function insertRows(
  tx: DemoQueries,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return
  const batch = Math.floor(MOST_PARAMETERS / columns.length)
  for (let start = 0; start < rows.length; start += batch) {
    const part = rows.slice(start, start + batch)
    const places = part.map(
      (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
    )
    await tx.query(
      `insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`,
      part.flatMap((row) => columns.map((column) => row[column])),
    )
  }
}
