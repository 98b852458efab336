import { supabase, unwrap } from '#/renderer/lib/supabase'
import type { Database } from '#/shared/database.types'

type ProfileRow = Database['public']['Tables']['profiles']['Row']

/** The member's own profile, for the header and settings. */
export type OwnProfile = Pick<
  ProfileRow,
  | 'id'
  | 'username'
  | 'full_name'
  | 'avatar_url'
  | 'is_private'
  | 'show_activity_status'
  | 'allow_story_replies'
>

const COLUMNS = 'id,username,full_name,avatar_url,is_private,show_activity_status,allow_story_replies'

/** Loads the member's own profile row; null if it does not exist yet. Throws an `AppError`. */
export function loadOwnProfile(id: string): Promise<OwnProfile | null> {
  return unwrap(supabase().from('profiles').select(COLUMNS).eq('id', id).maybeSingle())
}

/**
 * Creates the member's profile row. Throws an `AppError`: `conflict` if the username is taken, `invalid` if it is
 * invalid.
 */
export async function createProfile(id: string, username: string, fullName: string): Promise<OwnProfile> {
  const row = { id, username: username.trim().toLowerCase(), full_name: fullName.trim() }
  try {
    return await unwrap(supabase().from('profiles').insert(row).select(COLUMNS).single())
  } catch (cause) {
    // Another tab, or a request whose response was lost, may have created it already.
    const existing = await loadOwnProfile(id)
    if (existing !== null) return existing
    throw cause
  }
}

/** Whether nobody has this username yet. Works signed out. Throws an `AppError`. */
export function isUsernameAvailable(username: string): Promise<boolean> {
  return unwrap(supabase().rpc('username_available', { name: username.trim().toLowerCase() }))
}
