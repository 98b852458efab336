import * as z from 'zod'
import { actAs } from '#/backend/access/act-as'
import { callerKey } from '#/backend/access/caller'
import type { Claims } from '#/backend/access/tokens'
import type { Exclusive } from '#/backend/base/queue'
import type { Session, Transaction } from '#/backend/database/queries'
import { TABLES } from '#/backend/rest/rest-schema'
import { servedTableSchema } from './join'

/** The database's broadcast of new rows in `member:<id>`, as far as they are served as postgres_changes. */
export const newRowsSchema = z.object({
  table: servedTableSchema,
  type: z.literal('INSERT'),
  ids: z.array(z.string()),
})
export type NewRows = z.infer<typeof newRowsSchema>

export type RowRecord = Record<string, unknown>

export interface RowsRequest {
  claims: Claims
  rows: NewRows
  /** Whether the result is no longer needed: the database is not queried. */
  isGone: () => boolean
}

/** Reads new rows as a member, in the order of their ids, without rows that the member may not see. */
export function createRowsReader(pg: Session, exclusive: Exclusive) {
  return ({ claims, rows: { table, ids }, isGone }: RowsRequest): Promise<RowRecord[]> => {
    const read = async (tx: Transaction) => {
      await actAs(tx, claims)
      const columns = TABLES.get(table)?.columns.join(', ')
      const { rows } = await tx.query<{ record: RowRecord }>(
        `select to_jsonb(r) as record
          from (select ${columns} from public.${table} where id = any ($1::uuid[])) as r
          order by array_position($1::uuid[], r.id)`,
        [ids],
      )
      return rows.map(({ record }) => record)
    }
    return exclusive(() => pg.transaction(read), { caller: callerKey(claims.sub ?? null), isGone })
  }
}
