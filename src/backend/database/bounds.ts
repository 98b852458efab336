/** Limits of the time of one call to the database thread, in milliseconds. */
export const BOUNDS = {
  /** Requests of members, and Realtime's reads on their behalf. */
  member: 1_000,
  /** A read of one row by its id, which may have an inline video of 28 MB that an earlier build stored. On a slow computer it takes seconds. */
  media: 5_000,
  /** Deleting an account with all its rows. */
  accountDeletion: 10_000,
  /** Opening a data folder, dumps, the cleanup of old rows and refreshing the demo's stories. */
  maintenance: 120_000,
} as const

const TABLE = /^\/rest\/v1\/\w+$/
const COLUMNS = /^[\w,]+$/
const ONE_ID = /^(eq\.[\w-]+|in\.\([\w-]+\))$/

/** The limit of a REST request, by its method and address. */
export function boundForRequest(method: string, url: URL): number {
  if (url.pathname === '/rest/v1/rpc/delete_account') return BOUNDS.accountDeletion
  const isRow = method === 'GET' && TABLE.test(url.pathname) && isRowById(url.searchParams)
  return isRow ? BOUNDS.media : BOUNDS.member
}

/** Whether a query selects columns of one row by its id and nothing else, so that only the size of the row makes it slow. */
function isRowById(query: URLSearchParams): boolean {
  return query.size === 2 && COLUMNS.test(query.get('select') ?? '') && ONE_ID.test(query.get('id') ?? '')
}
