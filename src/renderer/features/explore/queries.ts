import { useQuery } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import type { TopicKind } from '#/renderer/lib/content/topics'
import { STALE } from '#/renderer/lib/queries/query-client'
import { toCount } from '#/renderer/lib/server/checks/checked-values'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { exploreKeys } from './keys'
import { hashtagKey, hashtagSync } from './mutations'

/** Followed hashtags on Explore; more than members follow. */
const FOLLOWED_SHOWN = 100

/** Hashtags that many members have used in public posts of the last days. Throws an `AppError`. */
export function loadPopularHashtags() {
  return unwrap(supabase().rpc('popular_hashtags'))
}

export function usePopularHashtagsQuery() {
  return useQuery({ queryKey: exploreKeys.popular, queryFn: loadPopularHashtags, staleTime: STALE.minute })
}

/** The hashtags that the member follows, by name. Throws an `AppError`. */
export async function loadFollowedHashtags(me: string): Promise<string[]> {
  const follows = supabase().from('hashtag_follows').select('tag').eq('follower_id', me)
  return (await unwrap(follows.order('tag').limit(FOLLOWED_SHOWN))).map(({ tag }) => tag)
}

export function useFollowedHashtagsQuery() {
  const { id: me } = useMe()
  return useQuery({
    queryKey: exploreKeys.followed,
    queryFn: () => loadFollowedHashtags(me),
    staleTime: STALE.short,
  })
}

/** How many posts with a hashtag or of a place the member may see, up to a limit. Throws an `AppError`. */
export async function countTopicPosts(kind: TopicKind, name: string): Promise<number> {
  const count = await unwrap(supabase().rpc('count_topic_posts', { topic_kind: kind, topic_name: name }))
  return toCount(count)
}

export function useTopicCountQuery(kind: TopicKind, name: string) {
  return useQuery({
    queryKey: exploreKeys.count(kind, name),
    queryFn: () => countTopicPosts(kind, name),
    staleTime: STALE.short,
  })
}

/** Whether the member follows a hashtag, in lower case. Throws an `AppError`. */
export async function loadFollowsHashtag(me: string, tag: string): Promise<boolean> {
  const rows = await unwrap(
    supabase().from('hashtag_follows').select('tag').eq('follower_id', me).eq('tag', tag),
  )
  return rows.length > 0
}

export function useFollowsHashtagQuery(tag: string) {
  const { id: me } = useMe()
  return useQuery({
    queryKey: exploreKeys.follows(tag),
    queryFn: async () => hashtagSync.desired(hashtagKey(me, tag)) ?? (await loadFollowsHashtag(me, tag)),
    staleTime: STALE.short,
  })
}
