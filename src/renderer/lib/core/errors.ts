/** Kinds of failure that screens distinguish. */
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
  /** The server's mail service does not deliver to this address. */
  | 'mail-refused'
  /** The sign-in is not recent enough: enter the password again. */
  | 'password-needed'
  /** The server has no Storage: it takes texts only. */
  | 'no-storage'
  /** The server takes no file of this size. */
  | 'too-large'
  /** The server refuses the request for another reason; a retry would get the same response. */
  | 'refused'
  /** The server failed; a retry may succeed. */
  | 'server'

export class AppError extends Error {
  override readonly name = 'AppError'
  /** The status if the server itself responded with a 5xx; undefined if a gateway responded, or nobody did. */
  readonly serverStatus: number | undefined
  /** The status of the response, also a gateway's; undefined if there was none. */
  readonly status: number | undefined

  constructor(
    readonly code: ErrorCode,
    /** The service's own message for the member; empty if it sent no message. */
    message: string,
    /** Codes and constraint names for the log; nothing a member wrote. */
    readonly detail: string,
    options?: { cause?: unknown; serverStatus?: number | undefined; status?: number | undefined },
  ) {
    super(message, options)
    this.serverStatus = options?.serverStatus
    this.status = options?.status ?? options?.serverStatus
  }
}

/** Whether the row exists already. */
export function isConflict(cause: unknown): boolean {
  return cause instanceof AppError && cause.code === 'conflict'
}

/** Optional fields that errors of PostgREST, GoTrue and fetch have in common. */
interface ServiceError {
  message?: unknown
  code?: unknown
  status?: unknown
  name?: unknown
}

const AUTH_CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ['invalid_credentials', 'credentials'],
  ['weak_password', 'weak-password'],
  ['over_request_rate_limit', 'rate-limited'],
  ['over_email_send_rate_limit', 'rate-limited'],
  ['otp_expired', 'code-wrong'],
  ['user_already_exists', 'conflict'],
  ['email_exists', 'conflict'],
  ['refresh_token_not_found', 'session-expired'],
  ['refresh_token_already_used', 'session-expired'],
  ['session_not_found', 'session-expired'],
  ['session_expired', 'session-expired'],
  ['reauthentication_needed', 'password-needed'],
  ['user_not_found', 'session-expired'],
  ['user_banned', 'session-expired'],
  ['email_address_not_authorized', 'mail-refused'],
  ['validation_failed', 'invalid'],
  ['email_address_invalid', 'invalid'],
])

/** Whether this code of Auth says that the session has ended for good. */
export function endsSession(code: string): boolean {
  return AUTH_CODES.get(code) === 'session-expired'
}

const DATABASE_CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ['23505', 'conflict'],
  ['23503', 'not-found'],
  ['23514', 'invalid'],
  ['22P02', 'invalid'],
  ['22001', 'invalid'],
  ['42501', 'forbidden'],
  ['PT401', 'session-expired'],
  ['PT403', 'forbidden'],
  ['PT404', 'not-found'],
  ['PT409', 'conflict'],
  ['PT422', 'invalid'],
  ['PT428', 'password-needed'],
  ['PT429', 'rate-limited'],
  ['PGRST116', 'not-found'],
  ['PGRST301', 'session-expired'],
  ['PGRST303', 'session-expired'],
])

/** Whether the status blames the request. The four exceptions can succeed later. */
function isRefusal(status: unknown): boolean {
  return typeof status === 'number' && status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)
}

/** Whether the database refused a write because the member exceeded a quota per minute or day. */
export function isOverQuota(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'PT429'
}

/** Whether the quota is that of the videos of a day. @param error for which `isOverQuota` is true */
export function isOverVideoQuota(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'details' in error && error.details === 'video_bytes'
}

function codeOf(error: ServiceError): ErrorCode {
  const code = typeof error.code === 'string' ? error.code : ''
  const known = AUTH_CODES.get(code) ?? DATABASE_CODES.get(code)
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

/** Statuses of a gateway that got no response from the server. The server may have stored the request. */
const GATEWAY_STATUSES: ReadonlySet<unknown> = new Set([502, 504])

function serverStatusOf({ status, code }: ServiceError): number | undefined {
  if (typeof status !== 'number' || status < 500) return undefined
  const isFromPostgrest = typeof code === 'string' && code !== ''
  return isFromPostgrest || !GATEWAY_STATUSES.has(status) ? status : undefined
}

/** Messages that auth-js and proxies use for a 5xx response without one: its number or its reason phrase. */
const NO_MESSAGE =
  /^(HTTP \d{3}|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out|\{\})$/i

/** Characters of a message: a hostile server sends millions, which take seconds to draw. */
const MESSAGE_MOST = 1_000

/**
 * The service's message for the member. Empty for a failed fetch, whose message comes from the browser, and for a
 * proxy's page or reason phrase.
 */
function messageOf({ name, message }: ServiceError, code: ErrorCode): string {
  if (typeof message !== 'string' || code === 'offline') return ''
  const isPage = name !== 'AuthApiError' && message.trimStart().startsWith('<')
  return isPage || NO_MESSAGE.test(message.trim()) ? '' : message.slice(0, MESSAGE_MOST)
}

/** Whether no answer came, e.g. because the network failed or the page is left. */
export function isOffline(cause: unknown): boolean {
  return cause instanceof AppError && cause.code === 'offline'
}

/**
 * Maps an error that supabase-js returned or threw to an `AppError`. Returns an `AppError` unchanged.
 *
 * @param status of the response, for errors that do not contain it
 */
export function toAppError(cause: unknown, status?: number): AppError {
  if (cause instanceof AppError) return cause
  const fields: ServiceError = typeof cause === 'object' && cause !== null ? cause : {}
  const error: ServiceError = {
    name: fields.name,
    message: fields.message,
    code: fields.code,
    status: fields.status ?? status,
  }
  const code = codeOf(error)
  const detail = [error.name, error.status, error.code]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
  return new AppError(code, messageOf(error, code), detail, {
    cause,
    serverStatus: serverStatusOf(error),
    status: typeof error.status === 'number' ? error.status : undefined,
  })
}

/** For the default case of an exhaustive switch. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`)
}
