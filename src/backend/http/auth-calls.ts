import * as z from 'zod'
import { PASSWORD_BYTES_MAX } from '#/shared/limits'

/** Largest body of the auth interface, in bytes: an e-mail, a password and an account's metadata. */
export const AUTH_BODY_MAX = 16 * 1024

/** The kinds of auth calls that the server distinguishes. */
export type AuthPurpose = 'password' | 'refresh' | 'code' | 'sign-up' | 'mail' | 'new-password' | 'other'

/** A parsed call. Lite gets a request that is rebuilt from it, so that both interpret the call in the same way. */
export interface AuthCall {
  purpose: AuthPurpose
  /** Path and query. */
  target: string
  body: string | null
  /** The e-mail of the account that the call names, or ''. */
  email: string
  /** Whether the call changes the member's own e-mail address. */
  changesEmail: boolean
}

/** As lite reads it, whose lower case differs from PostgreSQL's `lower`: limits count an account by the same address. */
const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(255)
  .regex(/^\P{Cc}*$/u)
const password = z.string().max(1_000)
/** Refused with a reason if it is too long, below. */
const newPassword = z.string()
const data = z.record(z.string(), z.unknown()).nullish()

const PASSWORD_TOO_LONG = `A password has at most ${PASSWORD_BYTES_MAX} bytes: letters with accents, letters of other scripts and emoji take two to four each.`

interface Endpoint {
  purpose: AuthPurpose
  /** The fields that lite reads. Lite itself reports missing ones. */
  body?: z.ZodType<Record<string, unknown>>
  /** Whether the call stores the password of its body. A sign-in may have any that was accepted before. */
  storesPassword?: true
  /** Query parameters that lite reads. */
  query?: readonly string[]
}

/**
 * The auth calls of the app. Lite accepts more, some of which would bypass the limits: a code's `token_hash` is computed
 * from the e-mail and the code, so a client could guess codes without naming the account.
 */
const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries<Endpoint>({
    'GET /auth/v1/health': { purpose: 'other' },
    'GET /auth/v1/settings': { purpose: 'other' },
    'GET /auth/v1/.well-known/jwks.json': { purpose: 'other' },
    'GET /auth/v1/user': { purpose: 'other' },
    'PUT /auth/v1/user': {
      purpose: 'other',
      storesPassword: true,
      // Lite adds `data` to the account's metadata, without a limit, and the app changes none after the sign-up.
      body: z.object({
        email: email.optional(),
        password: newPassword.optional(),
        data: z.undefined().optional(),
      }),
    },
    'POST /auth/v1/logout': { purpose: 'other', query: ['scope'] },
    'POST /auth/v1/signup': {
      purpose: 'sign-up',
      storesPassword: true,
      body: z.object({ email: email.optional(), password: newPassword.optional(), data }),
    },
    'POST /auth/v1/token?password': {
      purpose: 'password',
      query: ['grant_type'],
      body: z.object({ email: email.optional(), password: password.optional() }),
    },
    'POST /auth/v1/token?refresh_token': {
      purpose: 'refresh',
      query: ['grant_type'],
      // Lite refuses any text that is none of its tokens.
      body: z.object({ refresh_token: z.string().max(1_000).optional().catch('') }),
    },
    'POST /auth/v1/verify': {
      purpose: 'code',
      body: z.object({ type: z.literal('recovery'), email, token: z.string().max(1_000) }),
    },
    'POST /auth/v1/recover': { purpose: 'mail', body: z.object({ email: email.optional() }) },
  }),
)

/** Parses a call of the auth interface. Returns an error response for an invalid one, null for one that is not served. */
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
  if (!fields.success) return authError(400, 'validation_failed', 'The request is not understood.')
  const { email: address, password: wanted, token } = fields.data
  // Lite counts characters at sign-up and nothing at a change, and bcrypt ignores all bytes after these.
  if (endpoint.storesPassword && Buffer.byteLength(String(wanted ?? '')) > PASSWORD_BYTES_MAX)
    return authError(400, 'validation_failed', PASSWORD_TOO_LONG)
  // Lite concatenates e-mail and code, so another split of the same text would bypass the limit of the e-mail.
  if (endpoint.purpose === 'code' && !/^\d{6}$/.test(String(token))) {
    return authError(403, 'otp_expired', 'Token has expired or is invalid')
  }
  return {
    purpose: method === 'PUT' && wanted !== undefined ? 'new-password' : endpoint.purpose,
    target,
    body: JSON.stringify(fields.data),
    email: typeof address === 'string' ? address : '',
    changesEmail: method === 'PUT' && address !== undefined,
  }
}

/** Undefined if the body is not JSON or contains text that PostgreSQL cannot store: NUL or lone surrogates. */
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

/** An error in GoTrue's format, which supabase-js turns into an AuthApiError. `wait`: seconds until another try is allowed. */
export function authError(status: number, code: string, message: string, wait?: number): Response {
  const headers = wait === undefined ? {} : { 'retry-after': String(wait) }
  return Response.json({ code, error_code: code, message, msg: message }, { status, headers })
}
