import { wait } from '#/renderer/lib/core/schedule'
import { supabase, type User, unwrap } from '#/renderer/lib/server/supabase'
import type { Database } from '#/shared/database.types'

type ProfileRow = Database['public']['Tables']['profiles']['Row']

/** The member's own profile, for the header and settings. */
export type OwnProfile = Pick<
  ProfileRow,
  | 'id'
  | 'username'
  | 'full_name'
  | 'avatar_url'
  | 'avatar_path'
  | 'is_private'
  | 'show_activity_status'
  | 'allow_story_replies'
  | 'new_messages_from'
>

export const PROFILE_COLUMNS =
  'id,username,full_name,avatar_url,avatar_path,is_private,show_activity_status,allow_story_replies,new_messages_from'

/** Loads the member's own profile row; null if it does not exist yet. Throws an `AppError`. */
export function loadOwnProfile(id: string): Promise<OwnProfile | null> {
  return unwrap(supabase().from('profiles').select(PROFILE_COLUMNS).eq('id', id).maybeSingle())
}

/** Whether nobody has this username yet. Works signed out. Throws an `AppError`. */
export function isUsernameAvailable(username: string): Promise<boolean> {
  return unwrap(supabase().rpc('username_available', { name: username.trim().toLowerCase() }))
}

/** Delays before each check for a session, in milliseconds. */
const SESSION_CHECK_DELAYS_MS = [0, 50, 100, 200, 400, 800]

/**
 * Whether the client has this user's session with a usable token. Without one the request would run as a visitor and
 * look like a deleted account. Another window's message may arrive before its stored session, so check several times;
 * the first check waits a tick, because supabase-js waits for its callbacks.
 */
export async function hasSessionOf(user: User): Promise<boolean> {
  for (const delay of SESSION_CHECK_DELAYS_MS) {
    await wait(delay)
    const { session } = await unwrap(supabase().auth.getSession())
    if (session?.user.id === user.id) return true
  }
  return false
}

/** Throws an `AppError` unless the session still exists on the server. supabase-js signs out if it does not. */
export async function verifySession(): Promise<void> {
  await unwrap(supabase().auth.getUser())
}
