/** The session's token, as far as requests need it. */
export interface TokenSource {
  /** The one in use; null for none. */
  current(): Promise<string | null>
  /** A new one for who is signed in; null when it is refused. Throws when it cannot be asked for now. */
  renew(): Promise<string | null>
}

/** PostgREST's words for a token that it does not take (any more). https://docs.postgrest.org/en/stable/references/errors.html */
const TOKEN_REFUSED: ReadonlySet<unknown> = new Set(['PGRST301', 'PGRST303'])

/** The longest a request waits for a new token, in milliseconds: supabase-js asks for one for half a minute. */
const RENEWAL_MS = 8_000

/** A token that is as new as that is not worth being replaced, in milliseconds. */
const NEW_MS = 60_000

async function isTokenRefused(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const body: { code?: unknown } | null = await response
    .clone()
    .json()
    .catch(() => null)
  return TOKEN_REFUSED.has(body?.code)
}

/**
 * A `fetch` that has the session's token renewed and asks once more when the server calls the token expired: supabase-js
 * renews by this machine's clock, which may run behind. Where no new one can be had now the request fails like one
 * without a connection, since the session may well be good; where it is refused the refusal is the answer.
 *
 * Auth's own refusals (`bad_jwt`) pass: supabase-js holds its lock meanwhile, so that asking it for a token would wait for
 * ever, and the app asks with a token just given (a new password) or needs no consent of the server (signing out).
 */
export function renewingFetch(send: typeof fetch, tokens: TokenSource): typeof fetch {
  let renewing: Promise<string | null> | null = null
  let renewed = { token: '', at: 0 }

  async function renew(): Promise<string | null> {
    const token = await tokens.renew()
    if (token !== null) renewed = { token, at: Date.now() }
    return token
  }

  /** Throws a `TimeoutError` when it takes too long; who comes later waits for the same one. */
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

  /** The token to use after this one was refused; null for none. */
  async function tokenAfter(refused: string): Promise<string | null> {
    const current = await tokens.current()
    if (current === null) return null
    // Another request was faster.
    if (current !== refused) return current
    if (refused === renewed.token && Math.abs(Date.now() - renewed.at) < NEW_MS) {
      throw new TypeError('a token was refused just after it was given')
    }
    return awaitRenewal()
  }

  return async (input, init) => {
    const response = await send(input, init)
    const headers = new Headers(init?.headers)
    const bearer = headers.get('Authorization')?.replace(/^Bearer /, '')
    if (bearer === undefined || !(await isTokenRefused(response))) return response
    const token = await tokenAfter(bearer)
    if (token === null) return response
    headers.set('Authorization', `Bearer ${token}`)
    return send(input, { ...init, headers })
  }
}
