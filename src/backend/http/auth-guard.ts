import { createRateLimiter, type RateLimiter } from '#/backend/rate-limiter'
import { type AuthCall, type AuthPurpose, authError } from './auth-calls'
import { type Caller, callerKey } from './caller'
import { createFairQueue } from './fair-queue'
import { addressKey, isLoopbackAddress } from './network-address'
import { createSignInLimit, signInKey } from './sign-in-limit'

const WINDOW_MS = 5 * 60_000

/** Calls of one caller in five minutes, as in supabase/config.toml. Callers on this machine are not counted. */
const RATES = { signInOrUp: 30, refresh: 150, code: 30, mail: 30, newPassword: 30 }

/** Calls that hash a password, which takes a tenth of a second of processor time. */
export const HASHING: readonly AuthPurpose[] = ['password', 'sign-up', 'new-password']

/** Password hashes that may wait, more than an address may have connections; beyond that the response is 429. */
const WAITING_HASHES = { perCaller: 250, total: 2_000 }

/** Calls `respond`, or refuses the call. `key` identifies the caller in the queue for the database. */
export type AuthGuard = (
  call: AuthCall,
  caller: Caller,
  respond: (key: string) => Promise<Response>,
) => Promise<Response>

export interface AuthGuardOptions {
  hasAccount: (email: string, caller: Caller) => Promise<boolean>
  now?: (() => number) | undefined
}

/** Protects accounts against guessing, and other callers against floods of auth calls. */
export function createAuthGuard({ hasAccount, now }: AuthGuardOptions): AuthGuard {
  const signIns = createSignInLimit(now)
  const limiter = (limit: number) => createRateLimiter({ limit, windowMs: WINDOW_MS }, now)
  const signInOrUp = limiter(RATES.signInOrUp)
  const limiters: Partial<Record<AuthPurpose, RateLimiter>> = {
    password: signInOrUp,
    'sign-up': signInOrUp,
    refresh: limiter(RATES.refresh),
    code: limiter(RATES.code),
    mail: limiter(RATES.mail),
    'new-password': limiter(RATES.newPassword),
  }
  const queue = createFairQueue(WAITING_HASHES)
  const accountQueue = createFairQueue(WAITING_HASHES)

  /** Password hashes wait here and not for the database, where they would delay all callers. */
  const queued: AuthGuard = async (call, caller, respond) => {
    const key = callerKey(caller)
    if (!HASHING.includes(call.purpose)) return respond(key)
    return (await queue({ caller: key, isGone: caller.isGone, work: () => respond(key) })) ?? tooMany(1)
  }

  /**
   * Each account has a separate queue, so that a flood of sign-ins with random e-mail addresses does not delay members at
   * the same network address. Only successful sign-ins respond early: a failed one also waits in the common queue,
   * because its response time would otherwise reveal that the account exists.
   */
  const signIn: AuthGuard = async (call, caller, respond) => {
    const { address, isGone } = caller
    if (!(await hasAccount(call.email, caller))) return queued(call, caller, respond)
    const key = `account ${signInKey(call.email, addressKey(address))}`
    const attempt = accountQueue({ caller: key, isGone, work: () => respond(key) })
    const inCommonQueue = queue({ caller: callerKey(caller), isGone, work: () => attempt })
    inCommonQueue.catch(() => undefined)
    const response = await attempt
    return response?.ok ? response : ((await inCommonQueue) ?? tooMany(1))
  }

  const counted: AuthGuard = async (call, caller, respond) => {
    if (call.purpose !== 'password') return queued(call, caller, respond)
    const from = addressKey(caller.address)
    const seconds = signIns.begin(call.email, from)
    if (seconds > 0) return tooMany(seconds)
    let status = 500
    try {
      const response = await signIn(call, caller, respond)
      status = response.status
      return response
    } finally {
      if (status < 400) signIns.succeeded(call.email, from)
      else if (status === 429 || status >= 500) signIns.undecided(call.email, from)
    }
  }

  return async (call, caller, respond) => {
    if (isLoopbackAddress(caller.address)) return counted(call, caller, respond)
    const from = addressKey(caller.address)
    const limit = limiters[call.purpose]
    const seconds = limit?.take(from) ?? 0
    if (seconds > 0 && !(call.purpose === 'password' && signIns.isFamiliar(call.email, from))) {
      return tooMany(seconds)
    }
    const response = await counted(call, caller, respond)
    if (call.purpose !== 'password') return response
    if (response.ok && seconds === 0) limit?.undo(from)
    // Above the limit, failed responses must not reveal which accounts have signed in from this address before.
    return response.ok || seconds === 0 ? response : tooMany(seconds)
  }
}

function tooMany(seconds: number): Response {
  return authError(
    429,
    'over_request_rate_limit',
    'Too many tries. Please wait a few minutes and try again.',
    { 'retry-after': String(seconds) },
  )
}
