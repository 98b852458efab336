import { stdout } from 'node:process'

/** Prints a table, also if the test passes. The first column is left-aligned, the others are right-aligned. */
export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...rows].map((cells) => (cells[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 2),
      )
      .join('')
  stdout.write(`\n${[heading, ...rows].map(line).join('\n')}\n`)
}
