/** The last row of the previous page, by its time and a tiebreaker; null for the first page. */
export type Cursor = { createdAt: string; id: string } | null

interface PagedQuery<Q> {
  lte(column: string, value: unknown): Q
  or(filters: string): Q
  order(column: string, options: { ascending: boolean }): Q
  limit(count: number): Q
}

interface PageOptions {
  after: Cursor
  /** Maximum rows per page. */
  size: number
  /** Tiebreaker for rows with the same time. */
  idColumn: string
  /** The column to sort by, if it is not `created_at`. */
  timeColumn?: string
}

/**
 * Selects one page of a table, newest first, after a keyset cursor. The plain `lte` next to the `or` lets PostgreSQL
 * start the index scan at the cursor instead of at the top.
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

/** Returns the cursor of the next page, or undefined if this page was the last one. */
export function nextCursor<Row>(
  rows: readonly Row[],
  size: number,
  cursorOf: (row: Row) => NonNullable<Cursor>,
): Cursor | undefined {
  const last = rows.length < size ? undefined : rows.at(-1)
  return last && cursorOf(last)
}
