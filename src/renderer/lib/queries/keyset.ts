import type { InfiniteData } from '@tanstack/react-query'

/** The last row of the previous page, by its time and a tiebreaker; null for the first page. */
export type Cursor = { createdAt: string; id: string } | null

interface PagedQuery<Q> {
  lte(column: string, value: unknown): Q
  gte(column: string, value: unknown): Q
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

/** The data of an infinite query with its first page only: otherwise a refetch would load every page again. */
export function firstPage<Page, Param>(
  data: InfiniteData<Page, Param> | undefined,
): InfiniteData<Page, Param> | undefined {
  return data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
}

/** Selects the rows that follow one, oldest first: the other direction of `newestFirst`. */
export function oldestFirst<Q extends PagedQuery<Q>>(
  query: Q,
  { createdAt, id }: NonNullable<Cursor>,
  size: number,
): Q {
  return query
    .gte('created_at', createdAt)
    .or(`created_at.gt."${createdAt}",and(created_at.eq."${createdAt}",id.gt.${id})`)
    .order('created_at', { ascending: true })
    .order('id', { ascending: true })
    .limit(size)
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

/**
 * `getNextPageParam` of pages with a cursor. A server that sends a place again, from which a page was already read, has no more pages:
 * otherwise its pages, which add nothing, would be read for ever.
 */
export function nextPage<Page extends { next: Cursor | undefined }>(
  { next }: Page,
  _pages: readonly Page[],
  _param: Cursor,
  params: readonly Cursor[],
): Cursor | undefined {
  const isKnown = params.some((param) => param?.id === next?.id && param?.createdAt === next?.createdAt)
  return next == null || isKnown ? undefined : next
}
