import { type AuthCall, type AuthPurpose, authRefusal } from './auth-calls'
import { createCounts } from './counts'
import { createFairLane } from './fair-lane'
import { callerOf, isLoopbackAddress } from './network-address'
import { createSignInLimit } from './sign-in-limit'

const RATE_WINDOW_MS = 5 * 60_000

/** Calls of one caller in five minutes, as supabase/config.toml has them; who is on this machine is not counted. */
const RATES: Partial<Record<AuthPurpose, { name: string; limit: number }>> = {
  password: { name: 'sign in or up', limit: 30 },
  'sign-up': { name: 'sign in or up', limit: 30 },
  refresh: { name: 'refresh', limit: 150 },
  code: { name: 'code', limit: 30 },
  mail: { name: 'mail', limit: 30 },
  'new-password': { name: 'new password', limit: 30 },
}

/** What hashes a password: a tenth of a second of the processor each. */
const HASHING: readonly AuthPurpose[] = ['password', 'sign-up', 'new-password']

/** Of one caller; past them the answer is 429. */
const HASHINGS_WAITING_MAX = 50

/** Lets a call through to `answer`, or refuses it. `address` is the caller's network address. */
export type AuthGuard = (
  call: AuthCall,
  address: string,
  answer: () => Promise<Response>,
) => Promise<Response>

/** Keeps guessers and floods of the auth interface from the accounts and from everybody else's turn. */
export function createAuthGuard(now?: () => number): AuthGuard {
  const signIns = createSignInLimit(now)
  const rates = createCounts(RATE_WINDOW_MS, now)
  const lane = createFairLane(HASHINGS_WAITING_MAX)

  /** Password hashes wait here and not at the database, where everybody would wait for all of them. */
  const inTurn: AuthGuard = async (call, address, answer) => {
    if (!HASHING.includes(call.purpose)) return answer()
    return (await lane(callerOf(address), answer)) ?? tooMany(1)
  }

  const counted: AuthGuard = async (call, address, answer) => {
    if (call.purpose !== 'password') return inTurn(call, address, answer)
    const caller = callerOf(address)
    const seconds = signIns.begin(call.email, caller)
    if (seconds > 0) return tooMany(seconds)
    let status = 500
    try {
      const response = await inTurn(call, address, answer)
      status = response.status
      return response
    } finally {
      if (status < 400) signIns.succeeded(call.email, caller)
      else if (status === 429 || status >= 500) signIns.undecided(call.email, caller)
    }
  }

  return async (call, address, answer) => {
    const rate = RATES[call.purpose]
    if (rate === undefined || isLoopbackAddress(address)) return counted(call, address, answer)
    const key = JSON.stringify([rate.name, callerOf(address)])
    const seconds = rates.secondsToWait(key, rate.limit)
    if (seconds > 0) return tooMany(seconds)
    rates.add(key)
    return counted(call, address, answer)
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
