import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMe } from '#/renderer/features/auth'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { storageKeyPrefix } from '#/renderer/lib/local/local-storage'
import {
  forgetObjects,
  POST_MEDIA,
  postMediaPaths,
  postObjectPaths,
  prefetchMediaUrls,
  type StoredMedia,
  useStoredLinks,
} from '#/renderer/lib/media-store'
import { createBatchLoader } from '#/renderer/lib/queries/batch-loader'
import { KEEP, refetch, STALE, staleFromDisk } from '#/renderer/lib/queries/query-client'
import { storedToggles } from '#/renderer/lib/queries/stored-toggles'
import { createToggleSync } from '#/renderer/lib/queries/toggle-sync'
import { shownCounts, supabase, unwrap } from '#/renderer/lib/server/supabase'
import { FEED_PAGE } from '#/shared/limits'
import { isPostId } from './address'
import { postKeys } from './keys'
import { mediaOf } from './model'

/** A post as lists show it: with its author, its thumbnail, and the member's like and save. */
export type Post = Awaited<ReturnType<typeof loadPosts>>[number]

/**
 * The columns of a post in a list. Of photos in Storage only paths and ThumbHashes; a full inline picture is a second request,
 * because it is up to a hundred times larger.
 */
export const POST_COLUMNS =
  `id,user_id,content,location,alt_text,thumbnail_url,image_width,image_height,like_count,comment_count,created_at,edited_at,${POST_MEDIA},author:profiles!posts_user_id_fkey(username,full_name,avatar_url,avatar_path),my_like:likes(user_id),my_save:saved_posts(user_id)` as const

/** The posts with these ids that the member may see, in no particular order. Throws an `AppError`. */
export function loadPosts(ids: string[], me: string) {
  return unwrap(
    supabase()
      .from('posts')
      .select(shownCounts(POST_COLUMNS))
      .eq('my_like.user_id', me)
      .eq('my_save.user_id', me)
      .order('position', { referencedTable: 'media' })
      // A server may divide the rows that a read returns among these and their lists.
      .limit(ids.length)
      .in('id', ids),
  )
}

/** The full inline pictures of these posts, as data URLs. Throws an `AppError`. */
export function loadPictures(ids: string[]) {
  return unwrap(supabase().from('posts').select('id,image_url').in('id', ids))
}

/** Posts and pictures that a screen asks for at once are one request. */
const loadersOf = onePerClient((me: string) => ({
  post: createBatchLoader<Post>(async (ids) => {
    const startedAt = performance.now()
    const posts = await loadPosts(ids, me)
    return new Map(posts.map((post) => [post.id, withPendingReactions(post, me, startedAt)]))
  }, FEED_PAGE),
  picture: createBatchLoader<string>(async (ids) => {
    const rows = await loadPictures(ids)
    return new Map(rows.flatMap(({ id, image_url }) => (image_url === null ? [] : [[id, image_url]])))
    // The embedded server returns at most four of the largest size.
  }, 4),
}))

export function pictureOptions(client: QueryClient, me: string, id: string) {
  return {
    queryKey: postKeys.picture(id),
    queryFn: () => loadersOf(client, me).picture(id),
    staleTime: STALE.immutable,
    gcTime: KEEP.picture,
  }
}

/**
 * Caches the posts of a list, each by its id, and loads their pictures in one request, or signs their links in one.
 * @param startedAt when the request of the list was sent, of `performance.now()`
 */
export function seedPosts(client: QueryClient, posts: Post[], me: string, startedAt: number): void {
  for (const post of posts) {
    client.setQueryData(postKeys.post(post.id), withPendingReactions(post, me, startedAt))
    const videos = post.media.slice(0, 1).flatMap(({ media_path }) => media_path ?? [])
    prefetchMediaUrls(client, [...shownPathsOf(post), ...videos])
    if (post.media.length === 0) void client.prefetchQuery(pictureOptions(client, me, post.id))
  }
}

/**
 * The paths that a card shows first: the author's picture and the first photo or cover. The other links are signed just before
 * the photos are shown.
 */
function shownPathsOf({ author, media }: Post): string[] {
  return [author.avatar_path, ...media.slice(0, 1).flatMap(postMediaPaths)].filter((path) => path !== null)
}

/** Caches the links for `shownPathsOf` on disk. */
export function usePostLinks(post: Post): void {
  useStoredLinks(postKeys.links(post.id), shownPathsOf(post))
}

/** The paths of all objects of a post. */
export function pathsOf({ media }: Pick<Post, 'media'>): string[] {
  return media.flatMap(postObjectPaths)
}

export function postOptions(client: QueryClient, me: string, id: string) {
  return {
    queryKey: postKeys.post(id),
    queryFn: async () => {
      const post = await loadersOf(client, me).post(id)
      if (post === null) forgetPhotos(client, id)
      return post
    },
    gcTime: KEEP.post,
  }
}

/** A post by its id; `null` when it is deleted or hidden. Lists refetch it only after a restart. */
export function usePostQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({ ...postOptions(client, me, id), staleTime: staleFromDisk })
}

/** A post on its own screen: shows the cached post at once, and refetches it. Null too for an id from an address that is none. */
export function useFreshPostQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const query = useQuery({ ...postOptions(client, me, id), staleTime: STALE.short, enabled: isPostId(id) })
  return isPostId(id) ? query : { ...query, data: null }
}

/** Reads a post ahead of time, e.g. when the member points at it. */
export function prefetchPost(client: QueryClient, me: string, id: string): void {
  void client.prefetchQuery({ ...postOptions(client, me, id), staleTime: STALE.short })
}

/**
 * A post's full inline picture as a data URL, null for a post without one. Every post without photos in Storage is asked for: a post of
 * another client may have a picture and no thumbnail.
 */
export function useInlinePictureQuery({ id, media }: { id: string; media: readonly unknown[] }) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({ ...pictureOptions(client, me, id), enabled: media.length === 0 })
}

/** A post's photos; empty for a post without one. An inline picture is its thumbnail until it is loaded. */
export function usePostMedia(post: Post): readonly StoredMedia[] {
  const { data: picture } = useInlinePictureQuery(post)
  return useMemo(() => mediaOf(post, picture), [post, picture])
}

/** Changes a cached post, e.g. its counts. */
export function patchPost(client: QueryClient, id: string, change: (post: Post) => Post): void {
  client.setQueryData<Post | null>(postKeys.post(id), (post) => (post == null ? post : change(post)))
}

function forgetPhotos(client: QueryClient, id: string): void {
  const post = client.getQueryData<Post | null>(postKeys.post(id))
  if (post == null) return
  const paths = pathsOf(post)
  forgetObjects(client, (path) => paths.includes(path))
}

/** Marks a post as deleted or hidden in the cache, and so on every screen. */
export function forgetPost(client: QueryClient, id: string): void {
  forgetPhotos(client, id)
  client.setQueryData<Post | null>(postKeys.post(id), null)
}

/** Refetches profiles and their grids, which have separate counts and thumbnails. */
export function refreshGrids(client: QueryClient): void {
  for (const key of ['profile', 'grid']) void client.invalidateQueries({ queryKey: [key] })
}

export type Reaction = 'like' | 'save'

/** Likes and saves that the server has not confirmed yet. Offline they wait, also across a restart. */
export const reactionSync = createToggleSync(storedToggles)

/** The storage keys of a member's reactions begin with this. */
export function reactionPrefix(me: string): string {
  return storageKeyPrefix('reaction', me)
}

export function reactionKey(me: string, reaction: Reaction, postId: string): string {
  return `${reactionPrefix(me)}${reaction}.${postId}`
}

export function commentLikeKey(me: string, id: string): string {
  return `${reactionPrefix(me)}comment_like.${id}`
}

/** Refetches a post and its comments where they are shown, and elsewhere before they are shown next. */
export function refreshPost(client: QueryClient, id: string): void {
  void refetch(client, postKeys.comments(id))
  refreshPostRow(client, id)
}

/** Refetches a post, e.g. its counts. */
export function refreshPostRow(client: QueryClient, id: string): void {
  // Not with `invalidateQueries`, which skips queries that are never stale, as in a list.
  const post = client.getQueryCache().find({ queryKey: postKeys.post(id) })
  post?.invalidate()
  // The query cache logs a failure, and keeps the old data.
  if (post?.isActive()) post.fetch(undefined, { cancelRefetch: true }).catch(() => undefined)
}

/** A post with the member's like added or removed; the count changes with it. */
export function withLike(post: Post, me: string, isLiked: boolean): Post {
  if (isLiked === post.my_like.length > 0) return post
  return {
    ...post,
    my_like: isLiked ? [{ user_id: me }] : [],
    like_count: Math.max(0, post.like_count + (isLiked ? 1 : -1)),
  }
}

/** A post with the member's bookmark added or removed. */
export function withSave(post: Post, me: string, isSaved: boolean): Post {
  return { ...post, my_save: isSaved ? [{ user_id: me }] : [] }
}

/** Applies the member's reactions that the server did not know when the request was sent. */
function withPendingReactions(post: Post, me: string, startedAt: number): Post {
  const isLiked = reactionSync.newerThan(startedAt, reactionKey(me, 'like', post.id))
  const isSaved = reactionSync.newerThan(startedAt, reactionKey(me, 'save', post.id))
  const liked = isLiked === undefined ? post : withLike(post, me, isLiked)
  return isSaved === undefined ? liked : withSave(liked, me, isSaved)
}
