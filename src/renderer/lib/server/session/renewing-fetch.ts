export interface TokenSource {
  /** The current token, or null. */
  current(): Promise<string | null>
  /** A new token for the signed-in member, or null if the server refuses. Throws if the server cannot be reached. */
  renew(): Promise<string | null>
  /** Whether a request with this token is a visitor's although a session is stored: it could not be refreshed. */
  isUnrenewed(token: string): Promise<boolean>
}

/** PostgREST's codes for an invalid or expired token. https://docs.postgrest.org/en/stable/references/errors.html */
const TOKEN_REFUSED: ReadonlySet<unknown> = new Set(['PGRST301', 'PGRST303'])

/** Maximum time a request waits for a new token, in milliseconds. supabase-js would retry for half a minute. */
const RENEWAL_MS = 8_000

/** A token younger than this is not renewed again, in milliseconds. */
const FRESH_MS = 60_000

async function isTokenRefused(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const body: { code?: unknown } | null = await response
    .clone()
    .json()
    .catch(() => null)
  return TOKEN_REFUSED.has(body?.code)
}

/**
 * A `fetch` that renews the session's token and retries once if the server calls the token expired: supabase-js renews
 * by this machine's clock, which may be slow. If renewing fails, the request fails like one without a connection,
 * because the session may still be valid; if it is refused, the original response is returned.
 *
 * While an expired session cannot be refreshed, supabase-js sends requests as a visitor's. The server would return empty
 * lists and refuse writes, so these requests fail like ones without a connection too.
 *
 * Errors of Auth itself (`bad_jwt`) pass through: supabase-js holds its lock during these requests, so asking it for a
 * token would deadlock.
 */
export function renewingFetch(send: typeof fetch, tokens: TokenSource): typeof fetch {
  let renewing: Promise<string | null> | null = null
  let renewed = { token: '', at: 0 }

  async function renew(): Promise<string | null> {
    const token = await tokens.renew()
    if (token !== null) renewed = { token, at: Date.now() }
    return token
  }

  /** Throws a `TimeoutError` after `RENEWAL_MS`. Concurrent requests share one renewal. */
  async function awaitRenewal(): Promise<string | null> {
    renewing ??= renew().finally(() => {
      renewing = null
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DOMException('renewal timed out', 'TimeoutError')), RENEWAL_MS)
    })
    return Promise.race([renewing, late]).finally(() => clearTimeout(timer))
  }

  /** The token to use after this one was refused; null if there is none. */
  async function tokenAfter(refused: string): Promise<string | null> {
    const current = await tokens.current()
    if (current === null) return null
    // Another request has already renewed it.
    if (current !== refused) return current
    if (refused === renewed.token && Math.abs(Date.now() - renewed.at) < FRESH_MS) {
      throw new TypeError('a token was refused just after it was given')
    }
    return awaitRenewal()
  }

  return async (input, init) => {
    const headers = new Headers(init?.headers)
    const bearer = headers.get('Authorization')?.replace(/^Bearer /, '')
    const isAuth = (input instanceof Request ? input.url : String(input)).includes('/auth/v1/')
    if (bearer !== undefined && !isAuth && (await tokens.isUnrenewed(bearer)))
      throw new TypeError('the session could not be refreshed')
    const response = await send(input, init)
    if (bearer === undefined || !(await isTokenRefused(response))) return response
    const token = await tokenAfter(bearer)
    if (token === null) return response
    headers.set('Authorization', `Bearer ${token}`)
    return send(input, { ...init, headers })
  }
}
