import type { Queries } from '#/backend/database/queries'

/** Well below the 65,535 parameters that one statement may have. */
const PARAMETERS_MAX = 2_000

/** Inserts rows with the same columns in as few statements as possible, because statement triggers are slow. */
export async function insertRows(
  tx: Queries,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return
  const batch = Math.floor(PARAMETERS_MAX / columns.length)
  for (let start = 0; start < rows.length; start += batch) {
    const part = rows.slice(start, start + batch)
    const tuples = part.map(
      (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
    )
    await tx.query(
      `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')}`,
      part.flatMap((row) => columns.map((column) => row[column])),
    )
  }
}
