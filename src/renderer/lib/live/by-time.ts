interface Row {
  id: string
  created_at: string
}

/** Sorts oldest first, in the server's order for rows with the same time. ISO times compare as text. */
export function byTime(a: Row, b: Row): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}
