import * as z from 'zod'
import type { Session } from '#/backend/database/queries'
import type { Exclusive } from '#/backend/mutex'
import { API_ROLES } from '#/backend/realtime/api-roles'

const columnSchema = z.object({
  name: z.string(),
  /** PostgreSQL's short name, by which supabase-js reads values: `int4`, `_text`. */
  type: z.string(),
  /** The type as SQL casts to it. */
  cast: z.string(),
  /** Which roles of API_ROLES may read it. */
  readers: z.array(z.string()),
})

const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  /** In the order of the table. */
  columns: z.array(columnSchema),
  /** The columns of the primary key, in the order of the table, as the trigger tells them. */
  key: z.array(z.string()),
})

export type Column = z.infer<typeof columnSchema>
/** A table whose changes are told: one of the publication, with a primary key. */
export type PublishedTable = z.infer<typeof tableSchema>

const TABLES_SQL = `
select p.schemaname as schema, p.tablename as name,
  (
    select jsonb_agg(jsonb_build_object(
      'name', a.attname,
      'type', y.typname,
      'cast', format_type(a.atttypid, null),
      'readers', (
        select coalesce(jsonb_agg(role), '[]') from unnest($1::text[]) as role
        where has_column_privilege(role, t.tgrelid, a.attnum, 'select')
      )
    ) order by a.attnum)
    from pg_attribute a join pg_type y on y.oid = a.atttypid
    where a.attrelid = t.tgrelid and a.attnum > 0 and not a.attisdropped and a.attname = any (p.attnames)
  ) as columns,
  (
    select jsonb_agg(a.attname order by a.attnum)
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = t.tgrelid and i.indisprimary
  ) as key
from pg_publication_tables p
join pg_trigger t on t.tgname = 'realtime_tell_change'
  and t.tgrelid = to_regclass(format('%I.%I', p.schemaname, p.tablename))
where p.pubname = 'supabase_realtime'
order by 1, 2`

export interface PublishedTables {
  /** All of them; read from the database once, since they change with migrations only. */
  all(): Promise<PublishedTable[]>
}

export function createPublishedTables(pg: Session, exclusive: Exclusive): PublishedTables {
  let tables: Promise<PublishedTable[]> | undefined
  const read = async () => {
    const { rows } = await exclusive(() => pg.query(TABLES_SQL, [API_ROLES]))
    return z.array(tableSchema).parse(rows)
  }
  return {
    all: () => {
      tables ??= read().catch((error: unknown) => {
        tables = undefined
        throw error
      })
      return tables
    },
  }
}

/** The columns that a role may read. */
export function readableColumns(table: PublishedTable, role: string): Column[] {
  return table.columns.filter(({ readers }) => readers.includes(role))
}
