import type { SupabaseClient } from '@supabase/supabase-js'
import { POST_COLUMNS } from '#/renderer/features/post/queries'
import { FEED_PAGE } from '#/shared/limits'

/** The app's request for the first page of the feed. */
export function feedRequest(client: SupabaseClient, memberId: string) {
  return client
    .from('posts')
    .select(POST_COLUMNS)
    .eq('my_like.user_id', memberId)
    .eq('my_save.user_id', memberId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(FEED_PAGE)
}
