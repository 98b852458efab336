import type { Queries } from '#/backend/database/queries'

export type Row = Record<string, unknown>

/** Inserts rows with the same columns in one statement, because statement triggers are slow. */
export async function insertRows(tx: Queries, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  if (columns === '') return
  await tx.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}
