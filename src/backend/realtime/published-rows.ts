import * as z from 'zod'
import type { Session, Transaction } from '#/backend/database/queries'
import type { Exclusive } from '#/backend/mutex'
import { actAs, type Identity } from './identity'
import { SERVED_CHANGES } from './served'

const columnSchema = z.object({
  name: z.string(),
  /** PostgreSQL's internal name, with which supabase-js parses values: `int4`, `_text`. */
  type: z.string(),
})
const tablesSchema = z.array(z.object({ table: z.string(), columns: z.array(columnSchema) }))

/** The columns that members may read, by table. */
export type PublishedColumns = ReadonlyMap<string, readonly z.infer<typeof columnSchema>[]>

const COLUMNS_SQL = `
select c.relname as table,
  jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname) order by a.attnum) as columns
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
where c.relnamespace = 'public'::regnamespace and c.relname = any ($1)
  and has_column_privilege('authenticated', c.oid, a.attnum, 'select')
group by c.relname`

/** Reads the columns once: only migrations change them, and those run before Realtime starts. */
export function createColumnReader(pg: Session, exclusive: Exclusive): () => Promise<PublishedColumns> {
  let columns: PublishedColumns | undefined
  return async () => {
    if (columns === undefined) {
      const { rows } = await exclusive(() => pg.query(COLUMNS_SQL, [Object.keys(SERVED_CHANGES)]))
      columns = new Map(tablesSchema.parse(rows).map((row) => [row.table, row.columns]))
    }
    return columns
  }
}

const recordSchema = z.looseObject({ id: z.string() })
export type RowRecord = z.infer<typeof recordSchema>

/**
 * Reads the rows that the identity may see.
 * @param ids row ids by table
 */
export function readRowsAs(
  pg: Session,
  identity: Identity,
  ids: ReadonlyMap<string, readonly string[]>,
  columns: PublishedColumns,
): Promise<ReadonlyMap<string, RowRecord>> {
  return pg.transaction(async (tx) => {
    await actAs(tx, identity)
    const found = new Map<string, RowRecord>()
    for (const [table, ofTable] of ids) {
      const names = (columns.get(table) ?? []).map(({ name }) => `"${name}"`)
      for (const record of await readTable(tx, table, names, ofTable)) found.set(record.id, record)
    }
    return found
  })
}

async function readTable(tx: Transaction, table: string, names: string[], ids: readonly string[]) {
  const { rows } = await tx.query<{ record: unknown }>(
    `select to_jsonb(r) as record from (
      select ${names.join(', ')} from public."${table}" where id = any ($1::uuid[])
    ) as r`,
    [ids],
  )
  return rows.map(({ record }) => recordSchema.parse(record))
}
