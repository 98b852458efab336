import type { Connection } from '@supabase/lite'
import bcrypt from 'bcryptjs'
import * as z from 'zod'
import { jsonCopy } from '#/backend/json-copy'
import type { LiteFetch } from './lite-app'

/** What lite hashes passwords with, unless the environment says otherwise. */
const LITE_COST = 10

const attemptSchema = z.object({ email: z.string().min(1), password: z.string().min(1) })

/**
 * Compares the password of a sign-in with a decoy if the address has no account. Lite computes a hash for known addresses
 * only, so that the response time would tell which addresses have an account.
 */
export function withDecoyHash(fetch: LiteFetch, connection: Connection): LiteFetch {
  return async (request) => {
    const attempt = await signInAttempt(request)
    if (attempt !== null && !(await hasPassword(connection, attempt.email))) {
      await bcrypt.compare(attempt.password, decoyHash())
    }
    return fetch(request)
  }
}

async function signInAttempt(request: Request): Promise<z.infer<typeof attemptSchema> | null> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname !== '/auth/v1/token' || searchParams.get('grant_type') !== 'password') return null
  return attemptSchema.safeParse(await jsonCopy(request)).data ?? null
}

async function hasPassword({ kysely }: Connection, email: string): Promise<boolean> {
  const account = await kysely
    .selectFrom('auth.users')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .where('encrypted_password', '<>', '')
    .executeTakeFirst()
  return account !== undefined
}

/** A hash of no password that takes as long to compare as those of accounts. */
function decoyHash(): string {
  const cost = Number(process.env.LITE_AUTH_BCRYPT_COST) || LITE_COST
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`
}
