/** How long one call to the database thread may take, in milliseconds. */
export interface Bound {
  /** Each statement in it. */
  statementMs: number
  /** The whole call, with lite's own work. */
  callMs: number
}

export const BOUNDS = {
  /** Requests of members, and Realtime's reads on their behalf. */
  member: { statementMs: 1_000, callMs: 10_000 },
  /** A write that carries a picture or video; the largest takes about a second. */
  inlineMedia: { statementMs: 5_000, callMs: 20_000 },
  /** Deleting an account with everything in it. */
  accountDeletion: { statementMs: 10_000, callMs: 20_000 },
  /** Dumps, the cleanup of old rows and refreshing the demo's stories. */
  maintenance: { statementMs: 60_000, callMs: 120_000 },
  /** Setting up, migrating, restoring and seeding. */
  open: { statementMs: 120_000, callMs: 600_000 },
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
