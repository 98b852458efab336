import type { Connection } from '@supabase/lite'
import bcrypt from 'bcryptjs'
import * as z from 'zod'
import { peekJson } from '#/backend/peek-json'
import type { LiteFetch } from './lite-app'

/** Lite's default bcrypt cost. */
const LITE_COST = 10

const attemptSchema = z.object({ email: z.string().min(1), password: z.string().min(1) })

/**
 * Compares the password with a decoy hash if the e-mail has no account. Lite hashes passwords of existing accounts only,
 * so the response time would reveal which e-mail addresses have an account.
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
  return attemptSchema.safeParse(await peekJson(request)).data ?? null
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

/** A hash that matches no password and takes as long to compare as an account's. */
function decoyHash(): string {
  const cost = Number(process.env.LITE_AUTH_BCRYPT_COST) || LITE_COST
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`
}
