import type { Change } from './change-feed'
import { readableColumns } from './published-tables'
import type { RowRecord } from './read-rows'

/** Above this a row is told without its long values, as on hosted. */
const RECORD_BYTES_MAX = 1024 * 1024
/** The longest value told of such a row. */
const VALUE_BYTES_MAX = 64

/** The payload of a `postgres_changes` message. */
export interface ChangeMessage {
  /** The bindings that it is for. */
  ids: number[]
  data: {
    schema: string
    table: string
    type: Change['operation']
    commit_timestamp: string
    columns: { name: string; type: string }[]
    record: RowRecord
    /** Of an update: the primary key only. */
    old_record?: RowRecord
    errors: string[] | null
  }
}

/** Tells of a change: the row as the role may see it, cut to `select` and the primary key. */
export function changeMessage(
  ids: number[],
  { table, operation, at }: Change,
  row: RowRecord,
  select: ReadonlySet<string> | null,
  role: string,
): ChangeMessage {
  const columns = readableColumns(table, role).filter(
    ({ name }) => select === null || select.has(name) || table.key.includes(name),
  )
  const isTooLarge = byteLength(row) > RECORD_BYTES_MAX
  const told = columns.filter(({ name }) => !isTooLarge || byteLength(row[name]) <= VALUE_BYTES_MAX)
  return {
    ids,
    data: {
      schema: table.schema,
      table: table.name,
      type: operation,
      commit_timestamp: at,
      columns: columns.map(({ name, type }) => ({ name, type })),
      record: pick(
        row,
        told.map(({ name }) => name),
      ),
      ...(operation === 'UPDATE' ? { old_record: pick(row, table.key) } : {}),
      errors: isTooLarge ? ['Error 413: Payload Too Large'] : null,
    },
  }
}

function pick(row: RowRecord, names: readonly string[]): RowRecord {
  return Object.fromEntries(names.map((name) => [name, row[name]]))
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
