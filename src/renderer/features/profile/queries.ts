import { useQuery } from '@tanstack/react-query'
import { PROFILE_KEY } from '#/renderer/features/people'
import { STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'

const PROFILE_COLUMNS =
  'id,username,full_name,bio,website,avatar_url,is_private,post_count,follower_count,following_count'

export type Profile = NonNullable<ReturnType<typeof useProfileQuery>['data']>

/** Loads a member by username; null if there is none. Throws an `AppError`. */
export function loadProfile(username: string) {
  return unwrap(supabase().from('profiles').select(PROFILE_COLUMNS).eq('username', username).maybeSingle())
}

export function useProfileQuery(username: string) {
  return useQuery({
    queryKey: [...PROFILE_KEY, username],
    queryFn: () => loadProfile(username),
    staleTime: STALE.short,
  })
}

/** The current username of the member who had this one last; null if there is none. */
export function useRenamedToQuery(username: string) {
  return useQuery({
    queryKey: ['renamed-to', username],
    queryFn: (): Promise<string | null> => unwrap(supabase().rpc('renamed_to', { name: username })),
    staleTime: 0,
    gcTime: 0,
  })
}
