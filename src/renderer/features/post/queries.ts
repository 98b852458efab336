import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { createBatchLoader } from '#/renderer/lib/batch-loader'
import { KEEP, onePerClient, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { FEED_PAGE } from '#/shared/limits'
import { isPostId } from './address'
import { withPending } from './reaction-state'

/** A post as lists show it: with its author, its thumbnail, and what the member did with it. */
export type Post = Awaited<ReturnType<typeof loadPosts>>[number]

/** What a list reads of a post. The full picture comes in a second request: it is up to a hundred times larger. */
export const POST_COLUMNS =
  'id,user_id,content,location,alt_text,thumbnail_url,image_width,image_height,like_count,comment_count,created_at,edited_at,author:profiles!posts_user_id_fkey(username,full_name,avatar_url),my_like:likes(user_id),my_save:saved_posts(user_id)'

export const postKeys = {
  post: (id: string) => ['post', id] as const,
  picture: (id: string) => ['picture', id] as const,
}

/** The posts with these ids that the member may see, in no particular order. Throws an `AppError`. */
export function loadPosts(ids: string[], me: string) {
  return unwrap(
    supabase()
      .from('posts')
      .select(POST_COLUMNS)
      .eq('my_like.user_id', me)
      .eq('my_save.user_id', me)
      .in('id', ids),
  )
}

/** The full pictures of these posts, as data URLs. Throws an `AppError`. */
export function loadPictures(ids: string[]) {
  return unwrap(supabase().from('posts').select('id,image_url').in('id', ids))
}

/** What a screenful asks for at once goes out as one request. */
const loadersOf = onePerClient((me: string) => ({
  post: createBatchLoader<Post>(
    async (ids) => new Map((await loadPosts(ids, me)).map((post) => [post.id, withPending(post, me)])),
    FEED_PAGE,
  ),
  picture: createBatchLoader<string>(async (ids) => {
    const rows = await loadPictures(ids)
    return new Map(rows.flatMap(({ id, image_url }) => (image_url === null ? [] : [[id, image_url]])))
  }, FEED_PAGE),
}))

function pictureOptions(client: QueryClient, me: string, id: string) {
  return {
    queryKey: postKeys.picture(id),
    queryFn: () => loadersOf(client, me).picture(id),
    staleTime: STALE.immutable,
    gcTime: KEEP.picture,
  }
}

/** Puts posts that a list has read into the cache, each by its id, and asks for their pictures in one request. */
export function seedPosts(client: QueryClient, posts: Post[], me: string): void {
  for (const post of posts) {
    client.setQueryData(postKeys.post(post.id), withPending(post, me))
    void client.prefetchQuery(pictureOptions(client, me, post.id))
  }
}

function postOptions(client: QueryClient, me: string, id: string) {
  return {
    queryKey: postKeys.post(id),
    queryFn: () => loadersOf(client, me).post(id),
    gcTime: KEEP.post,
  }
}

/** A post by its id; `null` when it is gone or hidden. Lists keep what they have read. */
export function usePostQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({ ...postOptions(client, me, id), staleTime: STALE.live })
}

/** A post that is looked at by itself: what a list read of it some time ago shows at once, and is read anew. */
export function useFreshPostQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({ ...postOptions(client, me, id), staleTime: STALE.short })
}

/** Reads posts with their pictures ahead of time, e.g. the neighbours of an open one. */
export function usePrefetchedPosts(ids: readonly string[]): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  const wanted = ids.join()
  useEffect(() => {
    for (const id of wanted.split(',').filter(isPostId)) {
      void client.prefetchQuery({ ...postOptions(client, me, id), staleTime: STALE.live })
      void client.prefetchQuery(pictureOptions(client, me, id))
    }
  }, [client, me, wanted])
}

/**
 * A post's full picture as a data URL, null for a post without one; the thumbnail stands in until it is there. Every
 * post is asked for: one that another client made may have a picture and no thumbnail.
 */
export function usePictureQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery(pictureOptions(client, me, id))
}

/** Changes a cached post, e.g. its counts. */
export function patchPost(client: QueryClient, id: string, change: (post: Post) => Post): void {
  client.setQueryData<Post | null>(postKeys.post(id), (post) => (post == null ? post : change(post)))
}

/** Says that a post is gone: whoever shows it shows that. */
export function forgetPost(client: QueryClient, id: string): void {
  client.setQueryData<Post | null>(postKeys.post(id), null)
}

/** Has profiles and their grids read again: they show counts and thumbnails of their own. */
export function refreshGrids(client: QueryClient): void {
  for (const key of ['profile', 'grid']) void client.invalidateQueries({ queryKey: [key] })
}
