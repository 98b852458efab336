import { REST_LIMITS, type ServedRows } from '#/backend/http/served'
import { refuse, Scanner, splitNames } from './scanner'

const EQUALITIES = ['eq', 'neq']
const RANGES = ['gt', 'gte', 'lt', 'lte']

/** Characters that end a value inside `or`, `and` and `in`. */
const DELIMITERS = ',()'

/** Characters that lite reads differently from PostgREST inside `or` and `and`. */
const MISREAD_IN_LOGIC = /["\\(){}]/

/** Counts the filters of one request. */
export class Budget {
  #conditions = 0

  spend(): void {
    this.#conditions += 1
    if (this.#conditions > REST_LIMITS.conditions) {
      refuse(`A request has at most ${REST_LIMITS.conditions} filters`)
    }
  }
}

interface FilterContext {
  rows: ServedRows
  /** Whether the filter is inside `or` or `and`. */
  isInLogic: boolean
}

/** A parsed filter, e.g. `{ operator: 'not.in', text: 'not.in.(a,b)' }`. */
export interface Condition {
  operator: string
  /** The filter for lite. */
  text: string
}

/** Parses `eq.1` of the parameter `column=eq.1`. */
export function parseCondition(text: string, column: string, rows: ServedRows, budget: Budget): Condition {
  const scanner = new Scanner(text)
  const condition = parseOperation(scanner, column, { rows, isInLogic: false }, budget)
  scanner.expectEnd()
  return condition
}

/** Parses `(a.eq.1,and(b.gt.2,c.is.null))` of the parameters `or` and `and`. */
export function parseLogic(text: string, rows: ServedRows, budget: Budget): string {
  const scanner = new Scanner(text)
  const tree = parseTree(scanner, rows, budget, 1)
  scanner.expectEnd()
  return tree
}

function parseTree(scanner: Scanner, rows: ServedRows, budget: Budget, depth: number): string {
  if (depth > REST_LIMITS.logicDepth)
    refuse(`Filters are nested at most ${REST_LIMITS.logicDepth} levels deep`)
  const parts: string[] = []
  scanner.expect('(')
  do {
    const name = scanner.identifier()
    if (name === 'or' || name === 'and') {
      parts.push(`${name}${parseTree(scanner, rows, budget, depth + 1)}`)
    } else {
      scanner.expect('.')
      parts.push(`${name}.${parseOperation(scanner, name, { rows, isInLogic: true }, budget).text}`)
    }
  } while (scanner.take(','))
  scanner.expect(')')
  return `(${parts.join()})`
}

function parseOperation(scanner: Scanner, column: string, context: FilterContext, budget: Budget): Condition {
  budget.spend()
  const { columns, media, texts } = context.rows
  if (!splitNames(columns).includes(column)) refuse(`The column '${column}' is not served`, '42703')
  if (splitNames(media).includes(column)) refuse(`The column '${column}' cannot be filtered`)
  const negation = scanner.take('not.') ? 'not.' : ''
  const name = scanner.identifier()
  const operator = `${negation}${name}`
  scanner.expect('.')
  if (name === 'in') return { operator, text: `${operator}.${parseList(scanner, context)}` }
  if (name === 'is') return { operator, text: `${operator}.${parseTruth(scanner, context)}` }
  if (operator === 'ilike') return { operator, text: `ilike.${parseSearch(scanner, column, context)}` }
  const isText = splitNames(texts).includes(column)
  if (EQUALITIES.includes(name) || (RANGES.includes(name) && !isText)) {
    return { operator, text: `${operator}.${parseValue(scanner, context)}` }
  }
  return refuse(`The filter '${operator}' is not served`)
}

function parseTruth(scanner: Scanner, context: FilterContext): string {
  const value = readBare(scanner, context)
  if (!['null', 'true', 'false'].includes(value)) refuse("'is' takes null, true or false")
  return value
}

function parseList(scanner: Scanner, context: FilterContext): string {
  const values: string[] = []
  scanner.expect('(')
  if (scanner.take(')')) return '()'
  do {
    values.push(parseListed(scanner, context))
    if (values.length > REST_LIMITS.list) refuse(`'in' takes at most ${REST_LIMITS.list} values`)
  } while (scanner.take(','))
  scanner.expect(')')
  return `(${values.join()})`
}

function parseListed(scanner: Scanner, context: FilterContext): string {
  if (!scanner.sees('"')) return checked(scanner.until(DELIMITERS), context)
  const value = checked(scanner.quoted(), context)
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

function parseValue(scanner: Scanner, context: FilterContext): string {
  if (context.isInLogic && scanner.sees('"')) return `"${checked(scanner.quoted(), context)}"`
  const value = checked(readBare(scanner, context), context)
  // Lite unquotes a single value and parses a JSON object; PostgREST keeps both unchanged.
  return !context.isInLogic && /^["{]/.test(value) ? `"${value}"` : value
}

/**
 * Parses a search text between `*` or `%`. Inside `or`, lite misreads some characters even if they are quoted: they become
 * LIKE's wildcard for one character.
 */
function parseSearch(scanner: Scanner, column: string, context: FilterContext): string {
  if (!splitNames(context.rows.searchable).includes(column))
    refuse(`The column '${column}' cannot be searched`)
  const pattern = context.isInLogic && scanner.sees('"') ? scanner.quoted() : readBare(scanner, context)
  const [, text] = /^[*%]((?:[^*%\\]|\\.)+)[*%]$/su.exec(pattern) ?? []
  if (text === undefined) return refuse("'ilike' takes one text between two '*'")
  if (text.length > REST_LIMITS.search) refuse(`'ilike' takes at most ${REST_LIMITS.search} characters`)
  checked(text, { ...context, isInLogic: false })
  return `%${context.isInLogic ? text.replaceAll(/\\.|[",(){}]/gsu, '_') : text}%`
}

function readBare(scanner: Scanner, context: FilterContext): string {
  return scanner.until(context.isInLogic ? DELIMITERS : '')
}

function checked(value: string, { isInLogic }: FilterContext): string {
  if (value.length > REST_LIMITS.value) refuse(`A value has at most ${REST_LIMITS.value} characters`)
  if (value.includes('\0')) refuse('A value has a character that text cannot have', '22P05')
  if (isInLogic && MISREAD_IN_LOGIC.test(value))
    refuse("A value inside 'or' has a character that is not served")
  return value
}
