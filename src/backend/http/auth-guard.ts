import { type AuthCall, type AuthPurpose, authError } from './auth-calls'
import { type Caller, callerKey } from './caller'
import { createFairQueue } from './fair-queue'
import { createSignInLimit, signInKey } from './sign-in-limit'

/** Calls that hash a password, which takes a tenth of a second of processor time. */
export const HASHING: readonly AuthPurpose[] = ['password', 'sign-up', 'new-password']

/** Password hashes that may wait, more than strangers may have connections; beyond that the response is 429. */
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
  const queue = createFairQueue(WAITING_HASHES)
  const accountQueue = createFairQueue(WAITING_HASHES)

  /** Password hashes wait here and not for the database, where they would delay all callers. */
  const queued: AuthGuard = async (call, caller, respond) => {
    const key = callerKey(caller.member)
    if (!HASHING.includes(call.purpose)) return respond(key)
    return (await queue({ caller: key, isGone: caller.isGone, work: () => respond(key) })) ?? tooMany(1)
  }

  /**
   * Each account has a separate queue, so that a flood of sign-ins with random e-mail addresses does not delay members. Only successful sign-ins respond early: a failed one also waits in the common queue,
   * because its response time would otherwise reveal that the account exists.
   */
  const signIn: AuthGuard = async (call, caller, respond) => {
    const { isGone } = caller
    if (!(await hasAccount(call.email, caller))) return queued(call, caller, respond)
    const key = `account ${signInKey(call.email)}`
    const attempt = accountQueue({ caller: key, isGone, work: () => respond(key) })
    const inCommonQueue = queue({ caller: callerKey(caller.member), isGone, work: () => attempt })
    inCommonQueue.catch(() => undefined)
    const response = await attempt
    return response?.ok ? response : ((await inCommonQueue) ?? tooMany(1))
  }

  return async (call, caller, respond) => {
    if (call.purpose !== 'password') return queued(call, caller, respond)
    const seconds = signIns.begin(call.email)
    if (seconds > 0) return tooMany(seconds)
    let status = 500
    try {
      const response = await signIn(call, caller, respond)
      status = response.status
      return response
    } finally {
      if (status < 400) signIns.succeeded(call.email)
      else if (status === 429 || status >= 500) signIns.undecided(call.email)
    }
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
