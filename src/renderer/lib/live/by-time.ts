interface Row {
  id: string
  created_at: string
}

/** Sorts oldest first, in the server's order for rows with the same time. ISO times compare as text. */
export function byTime(a: Row, b: Row): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

/** Up to where a member has read a conversation; null: nothing. The message may be gone. */
export interface Mark {
  mark_at: string | null
  mark_id: string | null
}

/** Whether a message of others is after the mark, so unread. */
export function isAfterMark(row: Row, { mark_at, mark_id }: Mark): boolean {
  return mark_at === null || mark_id === null || byTime(row, { created_at: mark_at, id: mark_id }) > 0
}
