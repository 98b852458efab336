/** Operators of a filter, as PostgREST names them. */
export const FILTER_OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'like',
  'ilike',
  'is',
  'match',
  'imatch',
  'isdistinct',
] as const

export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** One condition of a filter; `value` of `in` is a PostgreSQL array literal. */
export interface Condition {
  column: string
  operator: FilterOperator
  value: string
  isNegated: boolean
}

/** A filter that cannot be read, in hosted's words. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
}

/** Reads `column=operator.value`, several of them joined by commas (all must hold), each perhaps with `not.`. */
export function parseFilter(filter: string): Condition[] {
  const trimmed = filter.trim()
  return trimmed === '' ? [] : splitAtCommas(trimmed).map(parseCondition)
}

function parseCondition(text: string): Condition {
  const segment = text.trim()
  if (segment === '') throw failure('filter must not contain empty segments (check for extra commas)')
  const equals = segment.indexOf('=')
  if (equals === -1) throw failure(JSON.stringify([segment]))
  const rest = segment.slice(equals + 1)
  const isNegated = rest.startsWith('not.')
  const operation = isNegated ? rest.slice('not.'.length) : rest
  const dot = operation.indexOf('.')
  if (dot === -1) throw failure(JSON.stringify([operation]))
  const [name, value] = [operation.slice(0, dot), operation.slice(dot + 1)]
  const operator = FILTER_OPERATORS.find((one) => one === name)
  if (operator === undefined) throw failure(`[${JSON.stringify(name)}, ${JSON.stringify(value)}]`)
  return { column: segment.slice(0, equals), operator, value: readValue(operator, value), isNegated }
}

function readValue(operator: FilterOperator, value: string): string {
  if (operator !== 'in') return unquote(value)
  if (!/^\(.*\)$/s.test(value)) throw failure('`in` filter value must be wrapped by parentheses')
  return `{${value.slice(1, -1)}}`
}

/** A value in quotes without them and their backslashes; any other as it is. */
function unquote(value: string): string {
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/s.exec(value) ?? []
  return inner === undefined ? value : inner.replaceAll(/\\(.)/gs, '$1')
}

/** Cuts at the commas that are in neither parentheses nor quotes. A quote begins a text only where a value may begin. */
function splitAtCommas(filter: string): string[] {
  const parts: string[] = []
  let current = ''
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < filter.length; at += 1) {
    const character = filter.charAt(at)
    const before = filter.charAt(at - 1)
    if (isQuoted) {
      if (character === '\\') {
        current += character
        at += 1
      } else if (character === '"') isQuoted = false
    } else if (character === '"') isQuoted = '.(,'.includes(before) && before !== ''
    else if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (character === ',' && depth === 0) {
      parts.push(current)
      current = ''
      continue
    }
    current += filter.charAt(at)
  }
  return [...parts, current]
}

function failure(reason: string): FilterError {
  return new FilterError(`Error parsing \`filter\` params: ${reason}`)
}
