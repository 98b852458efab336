import { toAppError } from '#/renderer/lib/core/errors'
import { type Session, type User, unstoredAuth } from '#/renderer/lib/server/supabase'

export type Tokens = Pick<Session, 'access_token' | 'refresh_token'>

/**
 * A new session with new tokens, if the server says that both tokens of a link belong to the account with this e-mail;
 * 'invalid' if it refuses one of them. Stores nothing. Throws an `AppError` if the server cannot be asked.
 */
export async function verifyLink(
  link: Tokens,
  email: string,
): Promise<Session | 'invalid' | 'other-account'> {
  const auth = unstoredAuth()
  const { data, error } = await auth.getUser(link.access_token)
  if (error !== null) return refusedOrThrow(error)
  if (!hasEmail(data.user, email)) return 'other-account'
  // Later, supabase-js would open the session of the refresh token. It is known only after a refresh.
  const refreshed = await auth.refreshSession(link)
  if (refreshed.error !== null) return refusedOrThrow(refreshed.error)
  const { session } = refreshed.data
  return session?.user.id === data.user.id && hasEmail(session.user, email) ? session : 'other-account'
}

function refusedOrThrow(error: { status?: number | undefined }): 'invalid' {
  const { status = 0 } = error
  if (status < 400 || status >= 500 || status === 429) throw toAppError(error)
  return 'invalid'
}

function hasEmail(user: User, email: string): boolean {
  return user.email?.toLowerCase() === email.toLowerCase()
}
