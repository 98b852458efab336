import { AppError } from '#/renderer/lib/core/errors'
import { beginFirstHour } from '#/renderer/lib/local/first-hour'
import { pageOwner } from '#/renderer/lib/server/session/session-status-store'
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
 * Ends a session on the server after the app has removed it here, and refreshes an expired one first. The requests outlive the page.
 * Throws an `AppError`.
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

export interface Recovery {
  email: string
  code: string
  /** The member whose code was accepted before; null if the server has yet to check it. */
  member: string | null
}

/** Sets a new password for the member of the code. Throws an `AppError`: `session-expired` if the page is no longer theirs. */
export async function setPassword({ email, code, member }: Recovery, password: string): Promise<void> {
  const { auth } = supabase()
  const accepted =
    member ?? (await unwrap(auth.verifyOtp({ email, token: code, type: 'recovery' }))).user?.id ?? null
  // Another window may sign in at any moment: in the page of this member, supabase-js finds no other session (`memberStorage`).
  if (accepted === null || pageOwner.getState().owner !== accepted)
    throw new AppError('session-expired', '', 'the page is not of the member of the code')
  await unwrap(auth.updateUser({ password }))
}
