const WINDOW_MS = 15 * 60_000
const FAILURES_ALLOWED = 10
/** Entries kept at most; past it the oldest are forgotten, so that made-up addresses cannot fill the memory. */
const ENTRIES_MAX = 10_000

interface Failures {
  count: number
  /** When the window ends, in milliseconds of the clock. */
  until: number
}

/** Counts failed sign-ins by (e-mail, network address), so that one guesser does not lock the member out elsewhere. */
export interface SignInLimit {
  /** Seconds to wait before the next try, or 0. */
  secondsToWait(email: string, address: string): number
  failed(email: string, address: string): void
  succeeded(email: string, address: string): void
}

export function createSignInLimit(now: () => number = Date.now): SignInLimit {
  const entries = new Map<string, Failures>()
  const keyOf = (email: string, address: string) => JSON.stringify([email.trim().toLowerCase(), address])

  const current = (key: string): Failures | undefined => {
    const entry = entries.get(key)
    if (entry !== undefined && entry.until <= now()) {
      entries.delete(key)
      return undefined
    }
    return entry
  }

  return {
    secondsToWait: (email, address) => {
      const entry = current(keyOf(email, address))
      if (entry === undefined || entry.count < FAILURES_ALLOWED) return 0
      return Math.ceil((entry.until - now()) / 1_000)
    },
    failed: (email, address) => {
      const key = keyOf(email, address)
      const entry = current(key) ?? { count: 0, until: now() + WINDOW_MS }
      entries.set(key, { ...entry, count: entry.count + 1 })
      const [oldest] = entries.keys()
      if (entries.size > ENTRIES_MAX && oldest !== undefined) entries.delete(oldest)
    },
    succeeded: (email, address) => {
      entries.delete(keyOf(email, address))
    },
  }
}

/** The e-mail that a request tries to sign in as, by password or by a mail's code; null for any other request. */
export function signInEmail(method: string, url: URL, body: string): string | null {
  if (method !== 'POST') return null
  const isPassword = url.pathname === '/auth/v1/token' && url.searchParams.get('grant_type') === 'password'
  if (!isPassword && url.pathname !== '/auth/v1/verify') return null
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null || !('email' in parsed)) return null
    return typeof parsed.email === 'string' ? parsed.email : null
  } catch {
    return null
  }
}

/** GoTrue's answer to too many tries; supabase-js makes an AuthApiError of it. */
export function tooManySignIns(seconds: number): Response {
  return Response.json(
    {
      code: 'over_request_rate_limit',
      error_code: 'over_request_rate_limit',
      message: 'Too many failed tries. Please wait a few minutes and try again.',
      msg: 'Too many failed tries. Please wait a few minutes and try again.',
    },
    { status: 429, headers: { 'retry-after': String(seconds) } },
  )
}
