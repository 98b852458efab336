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

/** The limits of a REST request, by its method, path and size of its body in bytes. */
export function boundForRequest(method: string, pathname: string, bodyBytes: number): Bound {
  if (pathname === '/rest/v1/rpc/delete_account') return BOUNDS.accountDeletion
  const hasMedia = method === 'POST' && TABLE.test(pathname) && bodyBytes >= INLINE_MEDIA_BYTES
  return hasMedia ? BOUNDS.inlineMedia : BOUNDS.member
}
