import { createHash } from 'node:crypto'
import type { Session } from '#/backend/database/queries'
import { describeError } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import type { ChangeBinding } from '#/backend/realtime/join-config'
import { conditionSql, quoteName, refuseCondition, valueType } from './condition-sql'
import { type Condition, FilterError, parseFilter } from './filters'
import { type PublishedTable, type PublishedTables, readableColumns } from './published-tables'

/** Most values of an `in` filter. */
const IN_MAX = 100
const EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const

/** What a binding asks for, once it is known to make sense. */
export interface Subscription {
  /** Names the binding to the client; the same for the same binding. */
  id: number
  event: (typeof EVENTS)[number] | '*'
  /** The tables it follows, each with the filter's conditions. */
  tables: ReadonlyMap<PublishedTable, readonly Condition[]>
  /** The columns to tell besides the primary key; null for all that the role may read. */
  select: ReadonlySet<string> | null
}

/** A binding that cannot be subscribed to, in hosted's words. */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError'
}

/** The number hosted answers a binding with: never 0, which supabase-js takes for none. */
export function bindingId(binding: ChangeBinding): number {
  const fields = Object.entries(binding).sort(([one], [other]) => (one < other ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify(fields)).digest()
  return (hash.readUInt32BE() >>> 5) + 1
}

export type Subscribe = (binding: ChangeBinding, role: string) => Promise<Subscription>

/** Makes bindings into subscriptions. Rejects with a SubscriptionError where hosted would refuse one. */
export function createSubscribe(pg: Session, exclusive: Exclusive, tables: PublishedTables): Subscribe {
  return async (binding, role) => {
    const wanted = readBinding(binding)
    const found = (await tables.all()).filter(
      ({ schema, name }) =>
        (wanted.schema === '*' || wanted.schema === schema) &&
        (wanted.table === '*' || wanted.table === name),
    )
    if (found.length === 0) {
      throw new SubscriptionError(
        `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${asWritten(wanted)}]`,
      )
    }
    for (const table of found) {
      const reason =
        refuseColumns(wanted, table, role) ??
        (wanted.conditions.length === 0
          ? null
          : await exclusive(() => tryConditions(pg, wanted.conditions, table)))
      if (reason === null) continue
      throw new SubscriptionError(
        `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${asWritten(wanted)}]. Exception: ${reason}`,
      )
    }
    return {
      id: bindingId(binding),
      event: wanted.event,
      tables: new Map(found.map((table) => [table, wanted.conditions])),
      select: wanted.select === null ? null : new Set(wanted.select),
    }
  }
}

interface Wanted {
  event: Subscription['event']
  schema: string
  table: string
  conditions: Condition[]
  select: string[] | null
}

function readBinding({ event, schema, table, filter, select }: ChangeBinding): Wanted {
  const isFilterPlaced = filter === undefined || (schema !== undefined && table !== undefined)
  if ((schema === undefined && table === undefined) || !isFilterPlaced) {
    throw new SubscriptionError(
      'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to',
    )
  }
  const wanted: Wanted = {
    event: EVENTS.find((one) => one === event?.toUpperCase()) ?? '*',
    schema: schema ?? 'public',
    table: table ?? '*',
    conditions: parseConditions(filter ?? ''),
    select: select === undefined || select.length === 0 ? null : select,
  }
  if (wanted.select !== null && (wanted.schema === '*' || wanted.table === '*')) {
    throw new SubscriptionError(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    )
  }
  return wanted
}

function parseConditions(filter: string): Condition[] {
  try {
    return parseFilter(filter)
  } catch (error) {
    if (error instanceof FilterError) throw new SubscriptionError(error.message, { cause: error })
    throw error
  }
}

function asWritten({ event, schema, table, conditions, select }: Wanted): string {
  const filters = conditions.map(
    ({ column, operator, value, isNegated }) =>
      `{${[column, operator, value].map((text) => JSON.stringify(text)).join(', ')}, ${isNegated}}`,
  )
  const columns = select === null ? 'nil' : JSON.stringify(select)
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(', ')}], select: ${columns}`
}

/** Filters are compared with the row before row security is asked, so they may name readable columns only. */
function refuseColumns({ conditions, select }: Wanted, table: PublishedTable, role: string): string | null {
  const readable = new Map(readableColumns(table, role).map((column) => [column.name, column]))
  for (const condition of conditions) {
    const column = readable.get(condition.column)
    if (column === undefined) return `invalid column for filter ${condition.column}`
    const reason = refuseCondition(condition, column)
    if (reason !== null) return reason
  }
  const unknown = select?.find((name) => !readable.has(name))
  return unknown === undefined ? null : `invalid column for select ${unknown}`
}

/** Lets the database read the values and look up the operators, on no row; gives its words where it refuses. */
async function tryConditions(
  pg: Session,
  conditions: readonly Condition[],
  table: PublishedTable,
): Promise<string | null> {
  const parameters: string[] = []
  const values: string[] = []
  const tests: string[] = []
  for (const condition of conditions) {
    const column = table.columns.find(({ name }) => name === condition.column)
    if (column === undefined) return `invalid column for filter ${condition.column}`
    const value = `$${parameters.push(condition.value)}::text`
    const type = valueType(condition, column)
    if (condition.operator === 'in') values.push(`cardinality((${value})::${type})`)
    else if (condition.operator.endsWith('match')) values.push(`('' ~ ${value})::integer`)
    else values.push(`((${value})${type === null ? '' : `::${type}`} is null)::integer`)
    tests.push(conditionSql(condition, column, value))
  }
  const { schema, name } = table
  const sql = `select array[${values.join(', ')}] as sizes, exists (
    select from ${quoteName(schema)}.${quoteName(name)} as t where false and ${tests.join(' and ')}
  )`
  try {
    const { rows } = await pg.query<{ sizes: number[] }>(sql, parameters)
    const isTooLong = rows[0]?.sizes.some((size, at) => conditions[at]?.operator === 'in' && size > IN_MAX)
    return isTooLong === true ? `too many values for \`in\` filter. Maximum ${IN_MAX}` : null
  } catch (error) {
    return describeError(error)
  }
}
