/** Limits of one call to the database thread. */
export interface Bound {
  /** Time of each statement, in milliseconds. */
  statementMs: number
  /** Time of the whole call, including lite's work, in milliseconds. */
  callMs: number
  /** Growth of WebAssembly memory since opening, in bytes; beyond that PostgreSQL is out of memory. */
  growthBytes: number
}

const MB = 1024 * 1024

export const BOUNDS = {
  /** Requests of members, and Realtime's reads on their behalf. */
  member: { statementMs: 1_000, callMs: 10_000, growthBytes: 40 * MB },
  /** A write with a picture or video; the largest takes about a second. */
  inlineMedia: { statementMs: 5_000, callMs: 20_000, growthBytes: 256 * MB },
  /** A read of one row by its id, which may have a picture or video. On a slow computer, the largest takes over a second. */
  row: { statementMs: 5_000, callMs: 20_000, growthBytes: 40 * MB },
  /** Deleting an account with all its rows. */
  accountDeletion: { statementMs: 10_000, callMs: 20_000, growthBytes: 256 * MB },
  /** Dumps, the cleanup of old rows and refreshing the demo's stories. */
  maintenance: { statementMs: 60_000, callMs: 120_000, growthBytes: Number.POSITIVE_INFINITY },
  /** Setting up, migrating, restoring and seeding. */
  open: { statementMs: 120_000, callMs: 600_000, growthBytes: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Bound>

/** A write with a larger body counts as inline media. */
const INLINE_MEDIA_BYTES = 256 * 1024

const TABLE = /^\/rest\/v1\/\w+$/
const COLUMNS = /^[\w,]+$/
const ONE_ID = /^(eq\.[\w-]+|in\.\([\w-]+\))$/

/** The limits of a REST request, by its method, address and size of its body in bytes. */
export function boundForRequest(method: string, url: URL, bodyBytes: number): Bound {
  if (url.pathname === '/rest/v1/rpc/delete_account') return BOUNDS.accountDeletion
  if (!TABLE.test(url.pathname)) return BOUNDS.member
  if (method === 'GET' && isRowById(url.searchParams)) return BOUNDS.row
  return method === 'POST' && bodyBytes >= INLINE_MEDIA_BYTES ? BOUNDS.inlineMedia : BOUNDS.member
}

/** Whether a query selects columns of one row by its id and nothing else, so that only the size of the row makes it slow. */
function isRowById(query: URLSearchParams): boolean {
  return query.size === 2 && COLUMNS.test(query.get('select') ?? '') && ONE_ID.test(query.get('id') ?? '')
}
