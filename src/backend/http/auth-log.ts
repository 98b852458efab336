import * as z from 'zod'
import type { BackendLog } from '#/backend/base/log'
import { peekJson } from '#/backend/base/peek-json'
import { createRateLimiter } from '#/backend/base/rate-limiter'
import type { AuthCall } from './auth-calls'

/** Limits logged failures of each member, so that a guesser cannot fill the log. */
const LOGGED_FAILURES = { limit: 10, windowMs: 60_000 }

type Words = [done: string, failed: string]

const WORDS: Partial<Record<AuthCall['purpose'], Words>> = {
  password: ['signed in', 'sign-in failed'],
  'sign-up': ['signed up', 'sign-up failed'],
  mail: ['asked for a recovery code', 'recovery code refused'],
  code: ['signed in with a recovery code', 'wrong recovery code'],
  'new-password': ['changed the password', 'the password not changed'],
}

/** What a call did and what it failed to do. Null for calls that are not logged. */
function wordsFor({ purpose, changesEmail }: AuthCall): Words | null {
  if (changesEmail) {
    const what = purpose === 'new-password' ? 'the e-mail and the password' : 'the e-mail'
    return [`changed ${what}`, `${what} not changed`]
  }
  return WORDS[purpose] ?? null
}

/** The user of a response: GoTrue sends it alone or with a session. */
const answer = z.object({ id: z.string().optional(), user: z.object({ id: z.string() }).optional() })

/**
 * Logs sign-ins, failures and changes of accounts: with the member's id, never with an e-mail, password, code or token. The member of a
 * response without a user is looked up by the call's e-mail.
 */
export function createAuthLog(log: BackendLog | undefined, now?: () => number) {
  const failures = createRateLimiter(LOGGED_FAILURES, now)
  return async (
    call: AuthCall,
    response: Response,
    findMember: (email: string) => Promise<string | null>,
  ): Promise<void> => {
    const words = wordsFor(call)
    // A call over a limit was not tried.
    if (words === null || response.status === 429) return
    const { data } = answer.safeParse(response.ok ? await peekJson(response) : {})
    const member = data?.user?.id ?? data?.id ?? (call.email === '' ? null : await findMember(call.email))
    if (!response.ok && failures.take(member ?? '') > 0) return
    const who = member === null ? 'unknown account' : `member ${member}`
    if (response.ok) log?.('info', `auth: ${who}: ${words[0]}`)
    else log?.('warn', `auth: ${who}: ${words[1]} (${response.status})`)
  }
}
