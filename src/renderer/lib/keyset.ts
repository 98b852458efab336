/** The row after which a page begins, by its time and by what tells rows of one moment apart; null for the first. */
export type Cursor = { createdAt: string; id: string } | null

interface PagedQuery<Q> {
  lte(column: string, value: unknown): Q
  or(filters: string): Q
  order(column: string, options: { ascending: boolean }): Q
  limit(count: number): Q
}

interface PageOptions {
  after: Cursor
  /** Most rows of a page. */
  size: number
  /** The column that orders rows of one moment. */
  idColumn: string
  /** The column that says how new a row is, where it is another one. */
  timeColumn?: string
}

/**
 * One page of a table, newest first, after a keyset cursor. The plain `lte` beside the `or` lets the index be entered
 * at the cursor instead of walked from its top.
 */
export function newestFirst<Q extends PagedQuery<Q>>(
  query: Q,
  { after, size, idColumn, timeColumn = 'created_at' }: PageOptions,
): Q {
  const rest =
    after === null
      ? query
      : query
          .lte(timeColumn, after.createdAt)
          .or(
            `${timeColumn}.lt."${after.createdAt}",and(${timeColumn}.eq."${after.createdAt}",${idColumn}.lt.${after.id})`,
          )
  return rest.order(timeColumn, { ascending: false }).order(idColumn, { ascending: false }).limit(size)
}

/** After which row the next page begins; undefined when this one was the last. */
export function nextCursor<Row>(
  rows: readonly Row[],
  size: number,
  cursorOf: (row: Row) => NonNullable<Cursor>,
): Cursor | undefined {
  const last = rows.length < size ? undefined : rows.at(-1)
  return last && cursorOf(last)
}
