import { createRateLimiter, type RateLimiter } from '#/backend/rate-limiter'
import { type AuthCall, type AuthPurpose, authRefusal } from './auth-calls'
import { type Caller, turnKey } from './caller'
import { createFairLane } from './fair-lane'
import { callerOf, isLoopbackAddress } from './network-address'
import { createSignInLimit } from './sign-in-limit'

const WINDOW_MS = 5 * 60_000

/** Calls of one caller in five minutes, as supabase/config.toml has them; who is on this machine is not counted. */
const RATES = { signInOrUp: 30, refresh: 150, code: 30, mail: 30, newPassword: 30 }

/** What hashes a password: a tenth of a second of the processor each. */
const HASHING: readonly AuthPurpose[] = ['password', 'sign-up', 'new-password']

/** Password hashes that wait; beyond that the response is 429. */
const HASHINGS_WAITING = { perCaller: 50, total: 200 }

/** Lets a call through to `answer`, or refuses it. */
export type AuthGuard = (call: AuthCall, caller: Caller, answer: () => Promise<Response>) => Promise<Response>

/** Keeps guessers and floods of the auth interface from the accounts and from everybody else's turn. */
export function createAuthGuard(now?: () => number): AuthGuard {
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
  const lane = createFairLane(HASHINGS_WAITING)

  /** Password hashes wait here and not at the database, where everybody would wait for all of them. */
  const inTurn: AuthGuard = async (call, caller, answer) => {
    if (!HASHING.includes(call.purpose)) return answer()
    const { isGone } = caller
    return (await lane({ caller: turnKey(caller), isGone, work: answer })) ?? tooMany(1)
  }

  const counted: AuthGuard = async (call, caller, answer) => {
    if (call.purpose !== 'password') return inTurn(call, caller, answer)
    const from = callerOf(caller.address)
    const seconds = signIns.begin(call.email, from)
    if (seconds > 0) return tooMany(seconds)
    let status = 500
    try {
      const response = await inTurn(call, caller, answer)
      status = response.status
      return response
    } finally {
      if (status < 400) signIns.succeeded(call.email, from)
      else if (status === 429 || status >= 500) signIns.undecided(call.email, from)
    }
  }

  return async (call, caller, answer) => {
    const { address } = caller
    const seconds = isLoopbackAddress(address) ? 0 : limiters[call.purpose]?.take(callerOf(address))
    if (seconds !== undefined && seconds > 0) return tooMany(seconds)
    return counted(call, caller, answer)
  }
}

function tooMany(seconds: number): Response {
  return authRefusal(
    429,
    'over_request_rate_limit',
    'Too many tries. Please wait a few minutes and try again.',
    { 'retry-after': String(seconds) },
  )
}
