import type { Times } from './measure'

/** One row of a benchmark's table. */
export interface Row {
  what: string
  p50: number
  /** Omitted for single values. */
  p95?: number
  unit: 'ms' | 'MB' | '×' | 'KB' | '%' | ''
  /** The maximum of `p50`. */
  budget?: number
}

/** The result of a benchmark. */
export interface Report {
  name: string
  rows: Row[]
}

export function timesRow(what: string, { p50, p95 }: Times, budget?: number): Row {
  return { what, p50, p95, unit: 'ms', ...(budget !== undefined && { budget }) }
}

const number = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(1))

/** Formats a report as a table for the terminal. */
export function formatReport({ name, rows }: Report): string {
  const width = Math.max(name.length, ...rows.map(({ what }) => what.length))
  const line = (cells: readonly string[], what: string): string =>
    `${what.padEnd(width)}  ${cells.map((cell) => cell.padStart(9)).join('')}`
  return [
    line(['p50', 'p95', 'unit', 'budget', ''], name),
    ...rows.map(({ what, p50, p95, unit, budget }) => {
      const verdict = budget === undefined ? '' : p50 <= budget ? 'met' : 'MISSED'
      return line([number(p50), number(p95), unit, number(budget), verdict], what)
    }),
  ].join('\n')
}

/** A table of all rows that have a budget. */
export function formatBudgets(reports: readonly Report[]): string {
  const rows = reports.flatMap(({ name, rows }) =>
    rows.flatMap((row) =>
      row.budget === undefined ? [] : [{ ...row, what: `${name}: ${row.what}`, budget: row.budget }],
    ),
  )
  const missed = rows.filter(({ p50, budget }) => p50 > budget).length
  const title = missed === 0 ? 'all budgets met' : `${missed} of ${rows.length} budgets missed`
  return formatReport({ name: title, rows })
}
