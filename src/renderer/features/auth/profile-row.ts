import { supabase, unwrap } from '#/renderer/lib/supabase'
import type { Database } from '#/shared/database.types'

type ProfileRow = Database['public']['Tables']['profiles']['Row']

/** The member's own profile, as the header and settings need it. */
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

/** The member's own profile row, or null when it has not been made yet. Throws an `AppError`. */
export function loadOwnProfile(id: string): Promise<OwnProfile | null> {
  return unwrap(supabase().from('profiles').select(COLUMNS).eq('id', id).maybeSingle())
}

/** Makes the member's profile row. Throws an `AppError`: `conflict` when the username is taken, `invalid` when it is none. */
export async function createProfile(id: string, username: string, fullName: string): Promise<OwnProfile> {
  const row = { id, username: username.trim().toLowerCase(), full_name: fullName.trim() }
  try {
    return await unwrap(supabase().from('profiles').insert(row).select(COLUMNS).single())
  } catch (cause) {
    // A second tab, or an answer lost on the way, may have made it already: then it is ours.
    const existing = await loadOwnProfile(id)
    if (existing !== null) return existing
    throw cause
  }
}

/** Whether nobody bears this username yet. Signed-out visitors may ask. Throws an `AppError`. */
export function isUsernameAvailable(username: string): Promise<boolean> {
  return unwrap(supabase().rpc('username_available', { name: username.trim().toLowerCase() }))
}
