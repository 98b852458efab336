/** How much time, in milliseconds, and memory one call to the database thread may take. */
export interface Bound {
  /** Each statement in it. */
  statementMs: number
  /** The whole call, with lite's own work. */
  callMs: number
  /** By how many bytes WebAssembly memory may exceed what it was after opening; PostgreSQL runs out of memory then. */
  growthBytes: number
}

const MB = 1024 * 1024

export const BOUNDS = {
  /** Requests of members, and Realtime's reads on their behalf. */
  member: { statementMs: 1_000, callMs: 10_000, growthBytes: 40 * MB },
  /** A write that carries a picture or video; the largest takes about a second. */
  inlineMedia: { statementMs: 5_000, callMs: 20_000, growthBytes: 256 * MB },
  /** Deleting an account with everything in it. */
  accountDeletion: { statementMs: 10_000, callMs: 20_000, growthBytes: 256 * MB },
  /** Dumps, the cleanup of old rows and refreshing the demo's stories. */
  maintenance: { statementMs: 60_000, callMs: 120_000, growthBytes: Number.POSITIVE_INFINITY },
  /** Setting up, migrating, restoring and seeding. */
  open: { statementMs: 120_000, callMs: 600_000, growthBytes: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Bound>

/** From this many bytes of body, a write counts as inline media. */
const INLINE_MEDIA_BYTES = 256 * 1024

const TABLE = /^\/rest\/v1\/\w+$/

/** The bound of a member's request. */
export function boundOfRequest(method: string, pathname: string, bodyBytes: number): Bound {
  if (pathname === '/rest/v1/rpc/delete_account') return BOUNDS.accountDeletion
  const carriesMedia = method === 'POST' && TABLE.test(pathname) && bodyBytes >= INLINE_MEDIA_BYTES
  return carriesMedia ? BOUNDS.inlineMedia : BOUNDS.member
}
