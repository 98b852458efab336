import { useQuery } from '@tanstack/react-query'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { byId, createBatchLoader } from '#/renderer/lib/queries/batch-loader'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { MESSAGES_PAGE } from '#/shared/limits'
import { messageKeys } from '../keys'
import type { SharedKind } from '../model/shared'

const AUTHOR = 'username,avatar_url,avatar_path'

/** The posts with these ids that the member may see. Throws an `AppError`. */
async function loadPosts(ids: string[]) {
  const columns =
    `id,user_id,content,thumbnail_url,media:post_media(position,kind,grid_path,width,height,thumbhash,duration_ms),author:profiles!posts_user_id_fkey(${AUTHOR})` as const
  return byId(await unwrap(supabase().from('posts').select(columns).in('id', ids)))
}

/** The stories with these ids that the member may see now. Throws an `AppError`. */
async function loadStories(ids: string[]) {
  const columns =
    `id,user_id,thumbnail_url,poster_path,thumbhash,expires_at,author:profiles!stories_user_id_fkey(${AUTHOR})` as const
  const running = supabase().from('stories').select(columns).gt('expires_at', 'now')
  return byId(await unwrap(running.in('id', ids)))
}

/** The members with these ids, without blocked ones. Throws an `AppError`. */
async function loadProfiles(ids: string[]) {
  return byId(await unwrap(supabase().from('profiles').select(`id,full_name,${AUTHOR}`).in('id', ids)))
}

type ValueOf<M> = M extends Promise<Map<string, infer V>> ? V : never
export type SharedPost = ValueOf<ReturnType<typeof loadPosts>>
export type SharedStory = ValueOf<ReturnType<typeof loadStories>>
export type SharedProfile = ValueOf<ReturnType<typeof loadProfiles>>

/** Read what messages share with the member's own rights; null if they may not see it. */
export const sharedLoaders = onePerClient(() => ({
  post: createBatchLoader<SharedPost>(loadPosts, MESSAGES_PAGE),
  story: createBatchLoader<SharedStory>(loadStories, MESSAGES_PAGE),
  profile: createBatchLoader<SharedProfile>(loadProfiles, MESSAGES_PAGE),
}))

function useSharedQuery<V>(
  kind: SharedKind,
  id: string | null,
  loaderOf: (loaders: ReturnType<typeof sharedLoaders>) => (id: string) => Promise<V | null>,
) {
  return useQuery({
    queryKey: messageKeys.shared(kind, id),
    queryFn: ({ client }) => loaderOf(sharedLoaders(client))(id ?? ''),
    enabled: id !== null,
    staleTime: STALE.minute,
  })
}

export function useSharedPostQuery(id: string | null) {
  return useSharedQuery('post', id, ({ post }) => post)
}

/** Null after the story has expired. */
export function useSharedStoryQuery(id: string | null) {
  return useSharedQuery('story', id, ({ story }) => story)
}

export function useSharedProfileQuery(id: string | null) {
  return useSharedQuery('profile', id, ({ profile }) => profile)
}
