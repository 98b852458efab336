import { useQuery } from '@tanstack/react-query'
import { STALE } from '#/renderer/lib/query-client'
import { answer, supabase } from '#/renderer/lib/supabase'
import { GRID_PAGE } from '#/shared/limits'

const PROFILE_COLUMNS =
  'id,username,full_name,bio,website,avatar_url,is_private,post_count,follower_count,following_count'

export type Profile = NonNullable<ReturnType<typeof useProfileQuery>['data']>

/** A member by username; null when there is none. */
export function useProfileQuery(username: string) {
  return useQuery({
    queryKey: ['profile', username],
    queryFn: () =>
      answer(supabase().from('profiles').select(PROFILE_COLUMNS).eq('username', username).maybeSingle()),
    staleTime: STALE.short,
  })
}

export type GridPost = NonNullable<ReturnType<typeof useGridQuery>['data']>[number]

/** A member's newest posts as a grid shows them: thumbnails only. */
export function useGridQuery(userId: string) {
  return useQuery({
    queryKey: ['grid', userId],
    queryFn: () =>
      answer(
        supabase()
          .from('posts')
          .select('id,content,thumbnail_url,alt_text')
          .eq('user_id', userId)
          .order('created_at', { ascending: false })
          .order('id', { ascending: false })
          .limit(GRID_PAGE),
      ),
    staleTime: STALE.short,
  })
}
