/** What can go wrong between the app and its server, as far as screens tell it apart. */
export type ErrorCode =
  | 'offline'
  | 'credentials'
  | 'rate-limited'
  | 'weak-password'
  | 'code-wrong'
  | 'conflict'
  | 'forbidden'
  | 'not-found'
  | 'invalid'
  | 'session-expired'
  /** The server's mail service does not write to this address. */
  | 'mail-refused'
  /** The sign-in is not recent enough: enter the password again. */
  | 'password-needed'
  /** The server will not do it, for a reason of its own: asking again gets the same answer. */
  | 'refused'
  /** It could not do it now. */
  | 'server'

/** One error for the whole app: a literal code, the service's message (may be empty), a detail for the log. */
export class AppError extends Error {
  override readonly name = 'AppError'
  /** The status when the server itself answered with a 5xx; undefined when a gateway answered for it, or nobody did. */
  readonly serverStatus: number | undefined

  constructor(
    readonly code: ErrorCode,
    /** The service's own words, for the member; empty when it has none. */
    message: string,
    /** Codes and constraint names for the log; nothing a member wrote. */
    readonly detail: string,
    options?: { cause?: unknown; serverStatus?: number | undefined },
  ) {
    super(message, options)
    this.serverStatus = options?.serverStatus
  }
}

/** The fields that PostgREST, GoTrue and fetch failures have in common, all of them optional. */
interface ServiceError {
  message?: unknown
  code?: unknown
  status?: unknown
  name?: unknown
}

const AUTH_CODES: Record<string, ErrorCode> = {
  invalid_credentials: 'credentials',
  weak_password: 'weak-password',
  over_request_rate_limit: 'rate-limited',
  over_email_send_rate_limit: 'rate-limited',
  otp_expired: 'code-wrong',
  user_already_exists: 'conflict',
  email_exists: 'conflict',
  refresh_token_not_found: 'session-expired',
  session_not_found: 'session-expired',
  reauthentication_needed: 'password-needed',
  user_not_found: 'session-expired',
  email_address_not_authorized: 'mail-refused',
  validation_failed: 'invalid',
  email_address_invalid: 'invalid',
}

const DATABASE_CODES: Record<string, ErrorCode> = {
  '23505': 'conflict',
  '23503': 'not-found',
  '23514': 'invalid',
  '22P02': 'invalid',
  '22001': 'invalid',
  '42501': 'forbidden',
  PT401: 'session-expired',
  PT403: 'forbidden',
  PT404: 'not-found',
  PT409: 'conflict',
  PT422: 'invalid',
  PT428: 'password-needed',
  PT429: 'rate-limited',
  PGRST116: 'not-found',
  PGRST301: 'session-expired',
  PGRST303: 'session-expired',
}

/** Whether a status says that it is the request that is wrong; of these three it may be the moment. */
function isRefusal(status: unknown): boolean {
  return typeof status === 'number' && status >= 400 && status < 500 && ![401, 408, 429].includes(status)
}

/** Whether the database refused a write because the member has done too much of it in a minute or a day. */
export function isOverQuota(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'PT429'
}

function codeOf(error: ServiceError): ErrorCode {
  const code = typeof error.code === 'string' ? error.code : ''
  const known = AUTH_CODES[code] ?? DATABASE_CODES[code]
  if (known !== undefined) return known
  if (error.status === 429) return 'rate-limited'
  if (error.name === 'AuthSessionMissingError') return 'session-expired'
  // auth-js has one error for a failed fetch (status 0) and for a 5xx response.
  if (error.status === 0) return 'offline'
  const message = typeof error.message === 'string' ? error.message : ''
  if (isServerStatus(error.status)) return 'server'
  if (error.name === 'AuthRetryableFetchError') return 'offline'
  if (/failed to fetch|fetch failed|networkerror|load failed|timed? ?out/i.test(message)) return 'offline'
  return isRefusal(error.status) ? 'refused' : 'server'
}

function isServerStatus(status: unknown): boolean {
  return typeof status === 'number' && status >= 500
}

/** Statuses of a gateway that got no answer from the server: the server may have stored what it was sent. */
const GATEWAY_STATUSES: ReadonlySet<unknown> = new Set([502, 504])

function serverStatusOf({ status, code }: ServiceError): number | undefined {
  if (typeof status !== 'number' || status < 500) return undefined
  const isFromPostgrest = typeof code === 'string' && code !== ''
  return isFromPostgrest || !GATEWAY_STATUSES.has(status) ? status : undefined
}

/** What auth-js and proxies say when a 5xx response has no message: its number or its reason phrase. */
const NO_MESSAGE =
  /^(HTTP \d{3}|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out|\{\})$/i

/**
 * The service's own message for the member. Empty for a failed fetch, whose message is the browser's, and for a page or
 * reason phrase of a proxy.
 */
function messageOf({ name, message }: ServiceError, code: ErrorCode): string {
  if (typeof message !== 'string' || code === 'offline') return ''
  const isPage = name !== 'AuthApiError' && message.trimStart().startsWith('<')
  return isPage || NO_MESSAGE.test(message.trim()) ? '' : message
}

/**
 * Maps whatever supabase-js answered or threw to an `AppError`; one that is already stays itself.
 *
 * @param status of the answer, for errors that do not tell it themselves
 */
export function toAppError(cause: unknown, status?: number): AppError {
  if (cause instanceof AppError) return cause
  const told: ServiceError = typeof cause === 'object' && cause !== null ? cause : {}
  const error: ServiceError = {
    name: told.name,
    message: told.message,
    code: told.code,
    status: told.status ?? status,
  }
  const code = codeOf(error)
  const detail = [error.name, error.status, error.code]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
  return new AppError(code, messageOf(error, code), detail, { cause, serverStatus: serverStatusOf(error) })
}

/** For the last arm of a switch over a closed set. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`)
}
