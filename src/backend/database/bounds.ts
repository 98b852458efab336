/** Limits of the time of one call to the database thread, in milliseconds. */
export const BOUNDS = {
  /** Requests of members, and Realtime's reads on their behalf. */
  member: 1_000,
  /** A write with a picture or video, or a read of one row by its id, which may have one. On a slow computer, the largest takes seconds. */
  media: 5_000,
  /** Deleting an account with all its rows. */
  accountDeletion: 10_000,
  /** Opening a data folder, dumps, the cleanup of old rows and refreshing the demo's stories. */
  maintenance: 120_000,
} as const

/** A write with a larger body has a picture or video. */
const MEDIA_BYTES = 256 * 1024

const TABLE = /^\/rest\/v1\/\w+$/
const COLUMNS = /^[\w,]+$/
const ONE_ID = /^(eq\.[\w-]+|in\.\([\w-]+\))$/

/** The limit of a REST request, by its method, address and size of its body in bytes. */
export function boundForRequest(method: string, url: URL, bodyBytes: number): number {
  if (url.pathname === '/rest/v1/rpc/delete_account') return BOUNDS.accountDeletion
  if (!TABLE.test(url.pathname)) return BOUNDS.member
  const isMedia =
    method === 'GET' ? isRowById(url.searchParams) : method === 'POST' && bodyBytes >= MEDIA_BYTES
  return isMedia ? BOUNDS.media : BOUNDS.member
}

/** Whether a query selects columns of one row by its id and nothing else, so that only the size of the row makes it slow. */
function isRowById(query: URLSearchParams): boolean {
  return query.size === 2 && COLUMNS.test(query.get('select') ?? '') && ONE_ID.test(query.get('id') ?? '')
}
