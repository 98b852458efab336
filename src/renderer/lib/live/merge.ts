interface Row {
  id: string
  created_at: string
}

/** Oldest first; the server's order of rows with the same time. Its times compare as text. */
export function byTime(a: Row, b: Row): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

/** Rows with others put in: each id once, the later mention wins, oldest first. */
export function mergeRows<R extends Row>(rows: readonly R[], others: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const row of others) byId.set(row.id, row)
  return [...byId.values()].sort(byTime)
}
