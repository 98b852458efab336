import type { Connection } from '@supabase/lite'
import { refuse, refuseIf } from './not-served-error'
import * as schema from './rest-schema'
import { exposedRows, REST_LIMITS, type Rows } from './rest-schema'

/** A request as lite has parsed it. */
export type Query = Parameters<Connection['onPostgrestAST']>[0]
type Selection = Pick<Query, 'select' | 'join' | 'where' | 'order'>
type Definition = Exclude<NonNullable<Query['select']>[number], string>[string]
type Join = NonNullable<Query['join']>[string]
type Embed = Extract<Definition, { select?: unknown }>

/** The parts that a request may have, by its type. */
const PARTS: Readonly<Record<string, string>> = {
  query: 'where order limit offset',
  rpc: 'where order limit offset function args httpMethod paramsType inputType',
  insert: 'values',
  upsert: 'values onConflict ignoreDuplicates',
  update: 'values where',
  delete: 'where',
}
const ANY_PARTS = 'type from select join $meta'
const PREFERENCES = ['return', 'missing', 'head', 'cardinality', 'columns']

/** Characters that lite reads differently from PostgREST inside `or` and `and`. */
const MISREAD_IN_LOGIC = /["\\(){}]/
const MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${REST_LIMITS.marks + 1}}`, 'u')

/**
 * Checks a request after lite has parsed it, and adds the limits of rows that it does not name. Throws a `NotServedError` for
 * everything that is not known here.
 */
export function checkQuery(query: Query): Query {
  const { type = '', $meta: { count, handling, ...preferences } = {} } = query
  const rows = exposedRows(query.function === undefined ? String(query.from) : `rpc/${query.function}`)
  expectOnly(query, `${ANY_PARTS} ${PARTS[type] ?? ''}`)
  checkWrite(query, rows)
  refuseIf(handling === 'strict', 'Strict handling of preferences is not served', 'PGRST122')
  // HTTP ignores unknown preferences. The planner's estimates would count rows that row security hides.
  query.$meta = Object.fromEntries(Object.entries(preferences).filter(([name]) => PREFERENCES.includes(name)))
  if (count !== undefined) query.$meta.count = 'exact'

  // An embedded row takes about as long as a further row.
  const embedded = new SelectionCheck().check(query, { rows, depth: 0, refused: [] })
  const isRead = type === 'query' || type === 'rpc'
  refuseIf(!isRead && embedded > REST_LIMITS.embeds, 'A write returns too many embedded rows')
  const most = Math.min(Math.floor(REST_LIMITS.embeddedRows / embedded), REST_LIMITS.limit)
  // A function limits its rows itself, to a hundred.
  const read = query.limit ?? (type === 'rpc' ? 100 : 1)
  refuseIf(read > most, `With these embeds, 'limit' is at most ${most}: lower it or the limits of the lists`)
  if (type === 'query' && most < REST_LIMITS.limit) query.limit ??= most
  return query
}

interface Level {
  rows: Rows
  depth: number
  /** Columns that cannot be selected. */
  refused: readonly string[]
}

class SelectionCheck {
  #conditions = 0
  #embeds = 0

  /** Returns how many rows are embedded in each row. */
  check({ select = [], join = {}, where = {}, order = [] }: Selection, level: Level): number {
    const { rows, refused } = level
    const selected: string[] = []
    let embedded = 0
    for (const entry of select) {
      const [[name, definition] = ['', {}]] =
        typeof entry === 'string' ? [[entry, {}]] : Object.entries(entry)
      if ('select' in definition) embedded += this.#embed(name, definition as Embed, join[name], level)
      else if ('aggregate' in definition) {
        refuseIf(level.depth === 0 || !('bareCount' in definition), 'An aggregate is not served')
        expectOnly(definition, 'aggregate bareCount')
      } else {
        expectOnly(definition, 'column')
        const column = 'column' in definition ? (definition.column ?? name) : name
        selected.push(...(column === '*' ? rows.columns : [expectColumn(rows, column)]))
      }
    }
    refuseIf(new Set(selected).size < selected.length, 'A column is selected twice')
    const large = selected.find((column) => refused.includes(column))
    refuseIf(large !== undefined, 'A picture cannot be embedded here')
    for (const { column } of order) expectSmall(rows, column)
    this.#where(where, rows, 0)
    return embedded
  }

  /** Returns how many rows it counts as. */
  #embed(name: string, embed: Embed, given: Join | undefined, level: Level): number {
    const { embedDepth, embeds, listed } = REST_LIMITS
    const join = given ?? refuse('A table cannot be embedded here', 'PGRST200')
    const { from: table = name, hint } = join
    expectOnly(join, 'from hint')
    expectOnly(embed, 'select join where order limit')
    this.#embeds += 1
    refuseIf(this.#embeds > embeds, 'A request embeds too many tables')
    refuseIf(level.depth === embedDepth, 'Tables are embedded too deeply')
    const [reference, ...others] = schema
      .referencesBetween(level.rows.table, table)
      .filter(({ name, column }) => [name, column, undefined].includes(hint))
      .filter(({ name, isList }) => !isList || level.depth === 0 || schema.NESTED_LISTS.includes(name))
    refuseIf(others.length > 0, 'More than one foreign key leads to an embedded table: name one', 'PGRST201')
    const { name: key, isList } = reference ?? refuse('A table cannot be embedded here', 'PGRST200')
    join.hint = key
    const once = schema.EMBEDS_WITH_MEDIA.includes(key) ? [] : schema.MEDIA_ONCE
    const refused = isList ? schema.LARGE_MEDIA : once
    // Tables inside a list would be read once for each of its rows.
    const depth = isList ? embedDepth : level.depth + 1
    const inner = this.check(embed, { rows: exposedRows(table), depth, refused })
    if (!isList) return 1 + inner
    const asked = level.depth === 0 ? embed.limit : listed
    embed.limit = asked ?? schema.LONG_LISTS[key] ?? listed
    return (asked ?? listed) + 2
  }

  #where(where: object, rows: Rows, depth: number): void {
    for (const [name, tests] of Object.entries(where)) {
      if ((name === '$or' || name === '$and') && Array.isArray(tests)) {
        refuseIf(depth === REST_LIMITS.logicDepth, 'Filters are nested too deeply')
        for (const inner of tests) this.#where(inner, rows, depth + 1)
      } else this.#tests(tests, rows, expectSmall(rows, name), depth > 0)
    }
  }

  #tests(tests: Record<string, unknown>, rows: Rows, column: string, isInLogic: boolean): void {
    for (const [operator, value] of Object.entries(tests)) {
      this.#conditions += 1
      refuseIf(this.#conditions > REST_LIMITS.conditions, 'A request has too many filters')
      const isText = rows.texts.includes(column)
      if (operator === '$not') this.#tests(Object(value), rows, column, isInLogic)
      else if (/^\$(n?eq)$/.test(operator) || (/^\$[gl]te?$/.test(operator) && !isText)) {
        checkCompared(value, isInLogic)
      } else if (/^\$(in|notIn)$/.test(operator) && Array.isArray(value)) {
        refuseIf(value.length > REST_LIMITS.list, `'in' takes at most ${REST_LIMITS.list} values`)
        for (const one of value) checkCompared(one, isInLogic)
      } else if (/^\$is(Not)?$/.test(operator)) {
        refuseIf(value !== null && typeof value !== 'boolean', "'is' takes null, true or false")
      } else if (operator === '$ilike' && schema.SEARCHED.includes(`${rows.table} ${column}`)) {
        tests[operator] = searchPattern(String(value), isInLogic)
      } else refuse('An operator is not served for this column')
    }
  }
}

function checkCompared(value: unknown, isInLogic: boolean): void {
  refuseIf(typeof value === 'object' && value !== null, 'A filter compares with one value')
  refuseIf(isInLogic && MISREAD_IN_LOGIC.test(String(value)), "A character is not served inside 'or'")
}

/** Unlike other values, lite leaves a pattern inside `or` in its quotes. */
function searchPattern(given: string, isInLogic: boolean): string {
  const pattern = isInLogic && /^".*"$/s.test(given) ? given.slice(1, -1).replace(/\\(.)/gs, '$1') : given
  refuseIf(!/^%(?:[^%\\]|\\.)+%$/su.test(pattern), "'ilike' takes one text between two '*'")
  return pattern
}

/** Returns a column that can be filtered and ordered by. */
function expectSmall(rows: Rows, column: string): string {
  refuseIf(schema.MEDIA.includes(expectColumn(rows, column)), 'A picture cannot be filtered or ordered by')
  return column
}

function expectColumn({ columns }: Rows, name: string): string {
  if (columns.includes(name)) return name
  const named = /^\w{1,63}$/.test(name) ? ` '${name}'` : ''
  return refuse(`The column${named} is not served`, '42703')
}

/** @param known names separated by spaces */
function expectOnly(part: object, known: string): void {
  const other = Object.keys(part).find((name) => !known.split(' ').includes(name))
  refuseIf(other !== undefined, `'${other}' is not served here`)
}

function checkWrite({ type, from = '', values, args, ...query }: Query, rows: Rows): void {
  refuseIf(type === 'upsert' && !query.ignoreDuplicates, 'An upsert that merges is not served', 'PGRST122')
  const list: unknown[] = Array.isArray(values) && type !== 'update' ? values : [values]
  const most = schema.INSERTED_ROWS[from] ?? REST_LIMITS.rows
  refuseIf(list.length > most, `A request inserts at most ${most} rows here`, 'PGRST102')
  if (values !== undefined) for (const row of list) checkRow(row, rows.columns, false)
  if (args !== undefined) checkRow(args, schema.FUNCTIONS.get(query.function ?? '')?.args ?? [], true)
}

/** @param hasLists whether values may be lists, of ids or of objects, whose names the function looks up */
function checkRow(row: unknown, names: readonly string[], hasLists: boolean): void {
  for (const [name, value] of entriesOf(row)) {
    refuseIf(!names.includes(name), 'A column or argument that is not served is written', 'PGRST204')
    const isList = hasLists && Array.isArray(value)
    const list: unknown[] = isList
      ? value.map((one) => (Object(one) === one ? one : { [name]: one }))
      : [{ [name]: value }]
    refuseIf(list.length > REST_LIMITS.rows, `A list has at most ${REST_LIMITS.rows} values`, 'PGRST102')
    for (const [inner, value] of list.flatMap(entriesOf)) checkValue(inner, value)
  }
}

function entriesOf(row: unknown): [string, unknown][] {
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) return Object.entries(row)
  return refuse('The body of a request is a JSON object', 'PGRST102')
}

/** The database quotes invalid values in errors, so large ones would take many times their size in memory. */
function checkValue(name: string, value: unknown): void {
  refuseIf(typeof value === 'object' && value !== null, 'A value of the body is not a single one', 'PGRST102')
  if (typeof value !== 'string' || schema.MEDIA.includes(name)) return
  const most = name === 'query' ? REST_LIMITS.query : REST_LIMITS.bodyValue
  refuseIf(value.length > most, `A value of the body has at most ${most} characters here`, 'PGRST102')
  refuseIf(MARKS.test(value), `A text has at most ${REST_LIMITS.marks} marks in a row`, 'PGRST102')
}
