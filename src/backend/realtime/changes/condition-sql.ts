import type { Condition, FilterOperator } from './filters'
import type { Column } from './published-tables'

const IS_VALUES = ['null', 'true', 'false', 'unknown']

const SQL_OPERATORS: Record<Exclude<FilterOperator, 'in' | 'is'>, string> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Why a condition cannot be asked of a column at all, in hosted's words; null when it can. */
export function refuseCondition({ operator, value }: Condition, column: Column): string | null {
  // The database would only notice with a row that the pattern fits so far, and then for every subscriber.
  const isPattern = operator === 'like' || operator === 'ilike'
  if (isPattern && endsInEscape(value)) return 'LIKE pattern must not end with escape character'
  if (operator !== 'is') return null
  if (!IS_VALUES.includes(value)) return 'invalid value for is filter: must be null, true, false, or unknown'
  if (value !== 'null' && column.cast !== 'boolean') {
    return `is ${value} filter requires a boolean column, got ${column.cast}`
  }
  return null
}

/** Whether the last backslash has nothing to escape: an odd number of them at the end. */
function endsInEscape(pattern: string): boolean {
  let end = pattern.length
  while (pattern[end - 1] === '\\') end -= 1
  return (pattern.length - end) % 2 === 1
}

/** The type a condition's value is read as; null where it has none to read. */
export function valueType({ operator }: Condition, column: Column): string | null {
  if (operator === 'is') return null
  return operator === 'in' ? `${column.cast}[]` : column.cast
}

/** A condition on the row `t`; `value` is the SQL of its value as text. A null does not hold, negated or not. */
export function conditionSql(condition: Condition, column: Column, value: string): string {
  const { operator, isNegated } = condition
  const left = `t.${quoteName(condition.column)}`
  const right = `(${value})::${valueType(condition, column)}`
  const positive =
    operator === 'is'
      ? `${left} is ${condition.value}`
      : operator === 'in'
        ? `${left} = any (${right})`
        : `${left} ${SQL_OPERATORS[operator]} ${right}`
  return isNegated ? `not (${positive})` : `(${positive})`
}
