import * as z from 'zod'

/** Bytes of a body of the auth interface: an address, a password and the few words kept with an account. */
export const AUTH_BODY_MAX = 16 * 1024

/** What a call of the auth interface is about, as far as limits need to know. */
export type AuthPurpose = 'password' | 'code' | 'sign-up' | 'mail' | 'new-password' | 'refresh' | 'other'

/** A call as lite is asked it: written anew from what was understood, so that both understand the same. */
export interface AuthCall {
  purpose: AuthPurpose
  /** Path and query. */
  target: string
  body: string | null
  /** Whose account it is about, where it says so; else ''. */
  email: string
  /** Whether the call changes the member's own e-mail address. */
  changesEmail: boolean
}

const email = z
  .string()
  .max(255)
  .regex(/^\P{Cc}*$/u)
const password = z.string().max(1_000)
const data = z.record(z.string(), z.unknown()).nullish()

interface Endpoint {
  purpose: AuthPurpose
  /** The fields that lite reads; what is missing it names in GoTrue's words. */
  body?: z.ZodType<Record<string, unknown>>
  /** Query parameters that lite reads. */
  query?: readonly string[]
}

/**
 * What the app asks of the auth interface; lite has more, among it ways past the limits: a code's `token_hash` is
 * reckoned from the e-mail and the code, so whoever may send that guesses codes without naming the account.
 */
const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries<Endpoint>({
    'GET /auth/v1/health': { purpose: 'other' },
    'GET /auth/v1/settings': { purpose: 'other' },
    'GET /auth/v1/.well-known/jwks.json': { purpose: 'other' },
    'GET /auth/v1/user': { purpose: 'other' },
    'PUT /auth/v1/user': {
      purpose: 'other',
      body: z.object({ email: email.optional(), password: password.optional(), data }),
    },
    'POST /auth/v1/logout': { purpose: 'other', query: ['scope'] },
    'POST /auth/v1/signup': {
      purpose: 'sign-up',
      body: z.object({ email: email.optional(), password: password.optional(), data }),
    },
    'POST /auth/v1/token?password': {
      purpose: 'password',
      query: ['grant_type'],
      body: z.object({ email: email.optional(), password: password.optional() }),
    },
    'POST /auth/v1/token?refresh_token': {
      purpose: 'refresh',
      query: ['grant_type'],
      body: z.object({ refresh_token: z.string().max(1_000).optional() }),
    },
    'POST /auth/v1/verify': {
      purpose: 'code',
      body: z.object({ type: z.literal('recovery'), email, token: z.string().max(1_000) }),
    },
    'POST /auth/v1/recover': { purpose: 'mail', body: z.object({ email: email.optional() }) },
  }),
)

/** Understands a call of the auth interface, or gives the refusal; null for what is not served. */
export function readAuthCall(method: string, url: URL, body: Uint8Array | null): AuthCall | Response | null {
  const grant = url.pathname === '/auth/v1/token' ? `?${url.searchParams.get('grant_type') ?? ''}` : ''
  const endpoint = ENDPOINTS.get(`${method} ${url.pathname}${grant}`)
  if (endpoint === undefined) return null

  const query = new URLSearchParams()
  for (const name of endpoint.query ?? []) {
    const value = url.searchParams.get(name)
    if (value !== null) query.set(name, value)
  }
  const target = `${url.pathname}?${query}`
  if (endpoint.body === undefined || body === null || body.length === 0) {
    return { purpose: endpoint.purpose, target, body: null, email: '', changesEmail: false }
  }
  const fields = endpoint.body.safeParse(parse(body))
  if (!fields.success) return authRefusal(400, 'validation_failed', 'The request is not understood.')
  const { email: about, password: chosen, token } = fields.data
  // Lite joins e-mail and code before it looks: cut elsewhere, the same two would be another e-mail to the limit.
  if (endpoint.purpose === 'code' && !/^\d{6}$/.test(String(token))) {
    return authRefusal(403, 'otp_expired', 'Token has expired or is invalid')
  }
  return {
    purpose: method === 'PUT' && chosen !== undefined ? 'new-password' : endpoint.purpose,
    target,
    body: JSON.stringify(fields.data),
    email: typeof about === 'string' ? about : '',
    changesEmail: method === 'PUT' && about !== undefined,
  }
}

/** Undefined for a body that is not JSON, and for text that PostgreSQL cannot store: NUL and lone surrogates. */
function parse(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body)
  if (text.includes('\\u0000')) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return hasLoneSurrogate(parsed) ? undefined : parsed
  } catch {
    return undefined
  }
}

/** `JSON.stringify` escapes lone surrogates, and no other character above U+001F. */
function hasLoneSurrogate(value: unknown): boolean {
  return JSON.stringify(value).replaceAll('\\\\', '').includes('\\ud')
}

/** A refusal in GoTrue's form; supabase-js makes an AuthApiError of it. */
export function authRefusal(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ code, error_code: code, message, msg: message }, { status, headers })
}
