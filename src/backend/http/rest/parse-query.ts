import { REST_LIMITS, type RestMethod, type ServedRows, type ServedTable } from '#/backend/http/served'
import { Budget, parseCondition, parseLogic } from './parse-filters'
import { parseSelect, type Selection } from './parse-select'
import { refuse, Scanner, splitNames } from './scanner'

/** The table, or the rows of a function, that a query addresses. */
export interface Target {
  method: RestMethod
  rows: ServedRows
  /** Null for a function. */
  table: ServedTable | null
}

const ONCE = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns'])

/** Parses the parameters of a request and rebuilds them for lite, so that both interpret them in the same way. */
export function parseQuery(given: URLSearchParams, target: Target): URLSearchParams {
  if (given.size > REST_LIMITS.parameters)
    refuse(`A request has at most ${REST_LIMITS.parameters} parameters`)
  return new QueryParser(given, target).parse()
}

class QueryParser {
  readonly #given: URLSearchParams
  readonly #target: Target
  readonly #query = new URLSearchParams()
  readonly #budget = new Budget()
  readonly #seen = new Set<string>()
  readonly #logic: [name: string, tree: string][] = []
  #hasFilter = false

  constructor(given: URLSearchParams, target: Target) {
    this.#given = given
    this.#target = target
  }

  get #isRead(): boolean {
    const { method, table } = this.#target
    return method === 'GET' || method === 'HEAD' || table === null
  }

  parse(): URLSearchParams {
    const select = this.#given.get('select')
    // An empty `select` selects all columns, like a missing one.
    const selection = select ? parseSelect(select, this.#target.rows) : null
    for (const [name, value] of this.#given) this.#parameter(name, value, selection)
    this.#addLogic()
    const { method } = this.#target
    if ((method === 'PATCH' || method === 'DELETE') && !this.#hasFilter) {
      refuse(`${method === 'PATCH' ? 'UPDATE' : 'DELETE'} requires a WHERE clause`, '21000')
    }
    this.#limitLists(selection?.lists ?? [])
    if (selection !== null) this.#limitRows(selection.embeddedRows)
    return this.#query
  }

  /** Limits a read with embedded lists, because each of its rows reads each list. */
  #limitLists(lists: readonly string[]): void {
    if (lists.length === 0) return
    const { embedding, listRows } = REST_LIMITS
    if (!this.#isRead) refuse('A write returns no lists')
    const limit = (name: string, most: number): number => {
      if (!this.#query.has(name)) this.#query.set(name, String(most))
      const rows = Number(this.#query.get(name))
      if (rows > embedding) refuse(`Where lists are embedded, '${name}' is at most ${embedding}`)
      return rows
    }
    // A function limits its rows itself.
    const rows = this.#target.table === null ? embedding : limit('limit', embedding)
    const share = Math.floor(listRows / Math.max(rows, 1) / lists.length)
    const listed = lists.map((list) => limit(`${list}.limit`, Math.min(share, embedding)))
    if (rows * listed.reduce((sum, one) => sum + one, 0) > listRows) {
      refuse(
        `The rows of all embedded lists are at most ${listRows}: lower 'limit' or the limits of the lists`,
      )
    }
  }

  /** Limits a read with embedded rows, because each takes about as long as a further row. */
  #limitRows(embeddedRows: number): void {
    const most = Math.floor(REST_LIMITS.embeddedRows / embeddedRows)
    // A function limits its rows itself.
    if (most >= REST_LIMITS.limit || !this.#isRead || this.#target.table === null) return
    if (!this.#query.has('limit')) this.#query.set('limit', String(most))
    else if (Number(this.#query.get('limit')) > most) {
      refuse(`Where ${embeddedRows} rows are embedded in each row, 'limit' is at most ${most}`)
    }
  }

  #addLogic(): void {
    const [first, ...others] = this.#logic
    if (first === undefined) return
    // All of them must be true, but lite would combine them into one `or`.
    if (others.length > 0) this.#query.set('and', `(${this.#logic.map((term) => term.join('')).join()})`)
    else this.#query.set(...first)
  }

  #parameter(name: string, value: string, selection: Selection | null): void {
    if (ONCE.has(name)) {
      this.#once(name)
      this.#query.set(name, this.#setting(name, value, selection))
      return
    }
    if (this.#target.method === 'POST' && this.#target.table !== null) refuse('An insert has no filters')
    if (name === 'or' || name === 'and') {
      this.#logic.push([name, parseLogic(value, this.#target.rows, this.#budget)])
      this.#hasFilter = true
      return
    }
    const [column = '', embedded] = name.split('.', 2).reverse()
    if (embedded === undefined) {
      this.#filter(name, column, value, this.#target.rows)
      this.#hasFilter = true
      return
    }
    const rows = selection?.embeds.get(embedded)
    if (rows === undefined || name !== `${embedded}.${column}`) {
      refuse('A filter names a table that is not embedded', 'PGRST108')
    } else if (column === 'order' || column === 'limit') {
      this.#once(name)
      this.#query.set(
        name,
        column === 'order' ? parseOrder(value, rows) : parseCount(value, REST_LIMITS.limit),
      )
    } else this.#filter(name, column, value, rows)
  }

  #filter(name: string, column: string, value: string, rows: ServedRows): void {
    const { operator, text } = parseCondition(value, column, rows, this.#budget)
    // Lite would ignore the first of two.
    this.#once(`${name} ${operator}`)
    this.#query.append(name, text)
  }

  #setting(name: string, value: string, selection: Selection | null): string {
    const { method, rows, table } = this.#target
    const isRead = this.#isRead
    switch (name) {
      case 'select':
        return selection?.text ?? '*'
      case 'order':
        return isRead ? parseOrder(value, rows) : refuse("A write has no 'order'")
      case 'limit':
        return isRead ? parseCount(value, REST_LIMITS.limit) : refuse("A write has no 'limit'")
      case 'offset':
        return isRead ? parseCount(value, REST_LIMITS.offset) : refuse("A write has no 'offset'")
      case 'on_conflict':
        return method === 'POST' && value === table?.onConflict
          ? value
          : refuse("This 'on_conflict' is not served")
      default:
        return method === 'POST' && table !== null
          ? parseColumns(value, rows)
          : refuse("'columns' is for inserts only")
    }
  }

  #once(parameter: string): void {
    if (this.#seen.has(parameter)) refuse('A parameter is given twice')
    this.#seen.add(parameter)
  }
}

function parseOrder(text: string, rows: ServedRows): string {
  const scanner = new Scanner(text)
  const columns = new Set<string>()
  const terms: string[] = []
  do {
    const column = scanner.identifier()
    if (!splitNames(rows.columns).includes(column)) refuse(`The column '${column}' is not served`, '42703')
    if (splitNames(rows.media).includes(column)) refuse(`The column '${column}' cannot be ordered by`)
    if (columns.has(column)) refuse(`A request orders by '${column}' once`)
    columns.add(column)
    const direction = ['.asc', '.desc'].find((suffix) => scanner.take(suffix)) ?? ''
    const nulls = ['.nullsfirst', '.nullslast'].find((suffix) => scanner.take(suffix)) ?? ''
    terms.push(`${column}${direction}${nulls}`)
  } while (scanner.take(','))
  scanner.expectEnd()
  if (terms.length > REST_LIMITS.order) refuse(`A request orders by at most ${REST_LIMITS.order} columns`)
  return terms.join()
}

function parseCount(text: string, most: number): string {
  if (!/^\d{1,6}$/.test(text) || Number(text) > most) refuse(`'limit' and 'offset' are numbers up to ${most}`)
  return text
}

/** Parses `"id","content"`, which supabase-js sends with an insert of several rows. */
function parseColumns(text: string, rows: ServedRows): string {
  const scanner = new Scanner(text)
  const columns: string[] = []
  do {
    const column = scanner.sees('"') ? scanner.quoted() : scanner.identifier()
    if (!splitNames(rows.columns).includes(column))
      refuse('A column that is not served is written', 'PGRST204')
    if (columns.includes(column)) refuse(`'${column}' is named twice`)
    columns.push(column)
  } while (scanner.take(','))
  scanner.expectEnd()
  return columns.map((column) => `"${column}"`).join()
}
