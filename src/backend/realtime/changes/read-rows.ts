import type { Transaction } from '#/backend/database/queries'
import { conditionSql, quoteName } from './condition-sql'
import type { Condition } from './filters'
import { type PublishedTable, readableColumns } from './published-tables'

/** A row's primary key as text, the same from the trigger and from a read. */
export type RowKey = string

export type RowRecord = Record<string, unknown>

export function rowKey(key: readonly (string | null)[]): RowKey {
  return JSON.stringify(key)
}

/** The SQL for rows of these keys, and for their keys; the values are appended to `parameters`. */
function byKey(table: PublishedTable, keys: Iterable<RowKey>, parameters: string[]) {
  const casts = table.key.map((name) => table.columns.find((column) => column.name === name)?.cast ?? 'text')
  const tuples = [...keys].map((key) => {
    const values: string[] = JSON.parse(key)
    return `(${values.map((value, at) => `$${parameters.push(value)}::text::${casts[at]}`).join(', ')})`
  })
  const names = table.key.map((name) => `t.${quoteName(name)}`)
  return {
    from: `${quoteName(table.schema)}.${quoteName(table.name)} as t`,
    where: `(${names.join(', ')}) in (${tuples.join(', ')})`,
    key: `array[${names.map((name) => `to_jsonb(${name}) #>> '{}'`).join(', ')}]`,
  }
}

/**
 * Which of these conditions the rows meet, as positions in `conditions`. Past row security: what is read here is shown
 * to nobody. Conditions that differ in their value only are one expression, so that fifty members' filters cost little
 * more than one.
 */
export async function meetConditions(
  tx: Transaction,
  table: PublishedTable,
  keys: Iterable<RowKey>,
  conditions: readonly Condition[],
): Promise<Map<RowKey, ReadonlySet<number>>> {
  const groups = new Map<string, { condition: Condition; positions: number[] }>()
  for (const [position, condition] of conditions.entries()) {
    const { column, operator, isNegated, value } = condition
    const name = JSON.stringify([column, operator, isNegated, operator === 'is' ? value : ''])
    const group = groups.get(name) ?? { condition, positions: [] }
    group.positions.push(position)
    groups.set(name, group)
  }

  const parameters: string[] = []
  const { from, where, key } = byKey(table, keys, parameters)
  const bound: unknown[] = [...parameters]
  const met = [...groups.values()].map(({ condition, positions }) => {
    const column = table.columns.find(({ name }) => name === condition.column)
    if (column === undefined) throw new Error('A condition on a column that is not published')
    const values = bound.push(positions.map((position) => conditions[position]?.value))
    const places = bound.push(positions)
    return `array(select v.place from unnest($${values}::text[], $${places}::integer[]) as v (value, place)
      where ${conditionSql(condition, column, 'v.value')})`
  })
  const { rows } = await tx.query<{ key: string[]; met: number[] }>(
    `select ${key} as key, ${met.join(' || ') || "'{}'::integer[]"} as met from ${from} where ${where}`,
    bound,
  )
  return new Map(rows.map((row) => [rowKey(row.key), new Set(row.met)]))
}

/** The rows that whom the transaction acts as may see, with the columns their role may read. */
export async function readRows(
  tx: Transaction,
  table: PublishedTable,
  keys: Iterable<RowKey>,
  role: string,
): Promise<Map<RowKey, RowRecord>> {
  const columns = readableColumns(table, role).map(({ name }) => `t.${quoteName(name)}`)
  const parameters: string[] = []
  const { from, where, key } = byKey(table, keys, parameters)
  const { rows } = await tx.query<{ key: string[]; record: RowRecord }>(
    `select ${key} as key, (select to_jsonb(r) from (select ${columns.join(', ')}) as r) as record
      from ${from} where ${where}`,
    parameters,
  )
  return new Map(rows.map((row) => [rowKey(row.key), row.record]))
}
