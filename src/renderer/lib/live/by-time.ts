interface Row {
  id: string
  created_at: string
}

/** Oldest first; the server's order of rows with the same time. Its times compare as text. */
export function byTime(a: Row, b: Row): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}
