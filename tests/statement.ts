type Row = Record<string, unknown>

/** A statement with its parameters in their places. */
export type Statement = (parts: TemplateStringsArray, ...parameters: unknown[]) => Promise<Row[]>

/** A statement with its parameters in their places, or after it. */
export type Query = Statement & ((sql: string, parameters?: unknown[]) => Promise<Row[]>)

/** A text that stands in several places, as an id does, is one parameter, of which PostgreSQL finds the type once. */
function withNumbers(parts: TemplateStringsArray, values: unknown[]): [sql: string, parameters: unknown[]] {
  const first = values.map((value, index) => (typeof value === 'string' ? values.indexOf(value) : index))
  const numbers = first.map((index) => `$${first.filter((other, at) => other === at && at <= index).length}`)
  const parameters = values.filter((_, index) => first[index] === index)
  return [parts.map((part, index) => part + (numbers[index] ?? '')).join(''), parameters]
}

export const asQuery =
  (run: (sql: string, parameters: unknown[]) => Promise<Row[]>): Query =>
  (sql: string | TemplateStringsArray, ...values: unknown[]) =>
    typeof sql === 'string' ? run(sql, (values[0] ?? []) as unknown[]) : run(...withNumbers(sql, values))
