import { beginFirstHour } from '#/renderer/lib/local/first-hour'
import { supabase, type UsableSession, unstoredAuth, unwrap } from '#/renderer/lib/server/supabase'
import { trimText } from '#/shared/visible-text'
import type { SignUpValues } from './model'
import { isUsernameAvailable, loadOwnProfile, type OwnProfile, PROFILE_COLUMNS } from './queries'

/**
 * Creates the member's profile row. Throws an `AppError`: `conflict` if the username is taken, `invalid` if it is
 * invalid.
 */
export async function createProfile(id: string, username: string, fullName: string): Promise<OwnProfile> {
  const row = { id, username: username.trim().toLowerCase(), full_name: trimText(fullName) }
  try {
    const profile = await unwrap(supabase().from('profiles').insert(row).select(PROFILE_COLUMNS).single())
    beginFirstHour(id)
    return profile
  } catch (cause) {
    // Another tab, or a request whose response was lost, may have created it already.
    const existing = await loadOwnProfile(id)
    if (existing !== null) return existing
    throw cause
  }
}

/**
 * Signs in; `session-store.ts` then opens the session. Throws an `AppError`: `credentials` for a wrong address or
 * password.
 */
export async function signIn(credentials: { email: string; password: string }): Promise<void> {
  await unwrap(supabase().auth.signInWithPassword(credentials))
}

/**
 * Checks the username first (AUTH-09), then creates the account with name and username as metadata, from which the
 * session creates the profile row (AUTH-08, AUTH-13). `mail-sent`: the server requires a confirmed e-mail address, so
 * no session opens.
 */
export async function signUp(values: SignUpValues): Promise<'username-taken' | 'mail-sent' | 'signed-in'> {
  const { fullName, username, email, password } = values
  if (!(await isUsernameAvailable(username))) return 'username-taken'
  const { session } = await unwrap(
    supabase().auth.signUp({ email, password, options: { data: { username, full_name: fullName } } }),
  )
  return session === null ? 'mail-sent' : 'signed-in'
}

/**
 * Ends a session on the server after it was removed here; an expired one is refreshed first. The requests outlive the page. Throws an
 * `AppError`.
 */
export async function revokeSession(removed: UsableSession): Promise<void> {
  const auth = unstoredAuth({ keepalive: true })
  const isExpired = removed.expires_at * 1_000 <= Date.now()
  const session = isExpired ? (await unwrap(auth.refreshSession(removed))).session : removed
  if (session !== null) await unwrap(auth.admin.signOut(session.access_token, 'local'))
}

/** Requests a mail with a recovery code and a link to `redirectTo`. */
export async function requestRecovery(email: string, redirectTo: string): Promise<void> {
  await unwrap(supabase().auth.resetPasswordForEmail(email, { redirectTo }))
}

/** Stores a verified session, and returns the id of the account that is signed in then. */
export async function openRecoverySession(tokens: {
  access_token: string
  refresh_token: string
}): Promise<string | undefined> {
  const { user } = await unwrap(supabase().auth.setSession(tokens))
  return user?.id
}

/** Sets a new password. `code`: the code from the mail; null if it was accepted before. */
export async function setPassword(email: string, code: string | null, password: string): Promise<void> {
  const { auth } = supabase()
  if (code !== null) await unwrap(auth.verifyOtp({ email, token: code, type: 'recovery' }))
  await unwrap(auth.updateUser({ password }))
}
