import { createRateLimiter, type RateLimiter } from '#/backend/rate-limiter'
import { type AuthCall, type AuthPurpose, authRefusal } from './auth-calls'
import { type Caller, turnKey } from './caller'
import { createFairLane } from './fair-lane'
import { callerOf, isLoopbackAddress } from './network-address'
import { createSignInLimit, signInKey } from './sign-in-limit'

const WINDOW_MS = 5 * 60_000

/** Calls of one caller in five minutes, as supabase/config.toml has them; who is on this machine is not counted. */
const RATES = { signInOrUp: 30, refresh: 150, code: 30, mail: 30, newPassword: 30 }

/** What hashes a password: a tenth of a second of the processor each. */
const HASHING: readonly AuthPurpose[] = ['password', 'sign-up', 'new-password']

/** Password hashes that wait, more than the connections of one address; beyond that the response is 429. */
const HASHINGS_WAITING = { perCaller: 250, total: 2_000 }

/** Lets a call through to `answer`, or refuses it. `turn` is whose turn the answer takes at the database. */
export type AuthGuard = (
  call: AuthCall,
  caller: Caller,
  answer: (turn: string) => Promise<Response>,
) => Promise<Response>

export interface AuthGuardOptions {
  hasAccount: (email: string, caller: Caller) => Promise<boolean>
  now?: (() => number) | undefined
}

/** Keeps guessers and floods of the auth interface from the accounts and from everybody else's turn. */
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
  const lane = createFairLane(HASHINGS_WAITING)
  const accountLane = createFairLane(HASHINGS_WAITING)

  /** Password hashes wait here and not at the database, where everybody would wait for all of them. */
  const inTurn: AuthGuard = async (call, caller, answer) => {
    const turn = turnKey(caller)
    if (!HASHING.includes(call.purpose)) return answer(turn)
    return (await lane({ caller: turn, isGone: caller.isGone, work: () => answer(turn) })) ?? tooMany(1)
  }

  /**
   * Each account has turns of its own, so that a flood of sign-ins with made-up e-mail addresses does not delay members
   * at the same network address. Only a right password is answered early: a refusal waits for its turn among strangers,
   * because otherwise its time would show that the account exists.
   */
  const signIn: AuthGuard = async (call, caller, answer) => {
    const { address, isGone } = caller
    if (!(await hasAccount(call.email, caller))) return inTurn(call, caller, answer)
    const turn = `account ${signInKey(call.email, callerOf(address))}`
    const attempt = accountLane({ caller: turn, isGone, work: () => answer(turn) })
    const amongStrangers = lane({ caller: turnKey(caller), isGone, work: () => attempt })
    amongStrangers.catch(() => undefined)
    const response = await attempt
    return response?.ok ? response : ((await amongStrangers) ?? tooMany(1))
  }

  const counted: AuthGuard = async (call, caller, answer) => {
    if (call.purpose !== 'password') return inTurn(call, caller, answer)
    const from = callerOf(caller.address)
    const seconds = signIns.begin(call.email, from)
    if (seconds > 0) return tooMany(seconds)
    let status = 500
    try {
      const response = await signIn(call, caller, answer)
      status = response.status
      return response
    } finally {
      if (status < 400) signIns.succeeded(call.email, from)
      else if (status === 429 || status >= 500) signIns.undecided(call.email, from)
    }
  }

  return async (call, caller, answer) => {
    if (isLoopbackAddress(caller.address)) return counted(call, caller, answer)
    const from = callerOf(caller.address)
    const limit = limiters[call.purpose]
    const seconds = limit?.take(from) ?? 0
    if (seconds > 0 && !(call.purpose === 'password' && signIns.isFamiliar(call.email, from))) {
      return tooMany(seconds)
    }
    const response = await counted(call, caller, answer)
    if (call.purpose !== 'password') return response
    if (response.ok && seconds === 0) limit?.undo(from)
    // Beyond the limit the response does not show who has signed in from this address before.
    return response.ok || seconds === 0 ? response : tooMany(seconds)
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
