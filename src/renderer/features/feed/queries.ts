import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { POST_COLUMNS, seedPosts } from '#/renderer/features/post'
import { forgetOnDisk } from '#/renderer/lib/disk-cache/persist'
import { type Cursor, newestFirst, nextCursor } from '#/renderer/lib/keyset'
import { logFailure } from '#/renderer/lib/logger'
import { isFromDisk, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { FEED_PAGE } from '#/shared/limits'
import { feedKeys } from './keys'

/**
 * A page contains only the ids and authors of posts. The posts are cached by id, and dropped when far from the
 * viewport.
 */
interface FeedPage {
  posts: { id: string; author: string }[]
  newest: string | null
  next: Cursor | undefined
}

export type FeedData = InfiniteData<FeedPage>

/**
 * Loads one page of posts, newest first, with author, thumbnail, and the member's like and save. Throws an `AppError`.
 */
export function loadFeedPage(me: string, after: Cursor) {
  const posts = supabase()
    .from('posts')
    .select(POST_COLUMNS)
    .eq('my_like.user_id', me)
    .eq('my_save.user_id', me)
    .order('position', { referencedTable: 'photos' })
  return unwrap(newestFirst(posts, { after, size: FEED_PAGE, idColumn: 'id' }))
}

/** The newest post of others since a time, excluding some members; an empty list if there is none. */
export function loadNewest(unwanted: readonly string[], since: string | null) {
  let query = supabase().from('posts').select('id').not('user_id', 'in', `(${unwanted.join()})`)
  if (since !== null) query = query.gt('created_at', since)
  return unwrap(query.order('created_at', { ascending: false }).limit(1))
}

async function readPage(client: QueryClient, me: string, after: Cursor): Promise<FeedPage> {
  const posts = await loadFeedPage(me, after)
  seedPosts(client, posts, me)
  return {
    posts: posts.map((post) => ({ id: post.id, author: post.user_id })),
    newest: posts[0]?.created_at ?? null,
    next: nextCursor(posts, FEED_PAGE, ({ created_at, id }) => ({ createdAt: created_at, id })),
  }
}

/** The feed as ids in pages; `usePostQuery` loads the posts. */
export function useFeedQuery() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useInfiniteQuery({
    queryKey: feedKeys.pages,
    queryFn: ({ pageParam }) => readPage(client, me, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.next,
    staleTime: STALE.live,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Unique ids without muted members: a post that moved to a later page while scrolling must not appear twice. */
export function feedIds(data: FeedData | undefined, muted: ReadonlySet<string>): string[] {
  const posts = data?.pages.flatMap((page) => page.posts) ?? []
  return [...new Set(posts.filter(({ author }) => !muted.has(author)).map(({ id }) => id))]
}

/** Up to this scroll offset, in pixels, the feed shows its beginning. */
const TOP = 72

/**
 * Loads the newest posts once after the feed was restored from disk. If its beginning is on screen, they replace it;
 * otherwise the member goes on where they were. Returns whether there are newer posts of others.
 */
export function useLatestPosts(data: FeedData | undefined, muted: ReadonlySet<string>): boolean {
  const client = useQueryClient()
  const { id: me } = useMe()
  const [isRestored] = useState(() => {
    const query = client.getQueryCache().find({ queryKey: feedKeys.pages })
    return query !== undefined && isFromDisk(query)
  })
  const { data: latest } = useQuery({
    queryKey: feedKeys.latest,
    queryFn: async () => {
      const first = await readPage(client, me, null)
      if (window.scrollY > TOP) return first
      await client.cancelQueries({ queryKey: feedKeys.pages })
      client.setQueryData<FeedData>(feedKeys.pages, { pages: [first], pageParams: [null] })
      return null
    },
    enabled: isRestored,
    staleTime: STALE.immutable,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const shown = data?.pages[0]
  if (latest?.newest == null || Date.parse(latest.newest) <= Date.parse(shown?.newest ?? '')) return false
  const known = new Set(shown?.posts.map(({ id }) => id))
  return latest.posts.some(({ id, author }) => author !== me && !muted.has(author) && !known.has(id))
}

/** Maximum members in the URL of a request: posts of further muted members may show the 'new posts' pill. */
const MOST_UNWANTED = 100

/**
 * Whether others, except muted members, have posted since the feed was loaded. Checked once a minute and when the
 * window is focused.
 */
export function useHasNewPosts(data: FeedData | undefined, muted: ReadonlySet<string>): boolean {
  const { id: me } = useMe()
  const shown = data?.pages[0]?.newest ?? null
  const { data: hasNew = false } = useQuery({
    queryKey: [...feedKeys.newest, shown],
    queryFn: async () => {
      const unwanted = [me, ...muted].slice(0, MOST_UNWANTED)
      return (await loadNewest(unwanted, shown)).length > 0
    },
    enabled: data !== undefined,
    refetchInterval: STALE.minute,
    refetchOnWindowFocus: true,
    initialData: false,
    initialDataUpdatedAt: Date.now,
    staleTime: STALE.minute,
  })
  return hasNew
}

/** Puts a new post of the member on top of the loaded feed. */
export function addToFeed(client: QueryClient, id: string, me: string): void {
  client.setQueryData<FeedData>(
    feedKeys.pages,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page, index) =>
          index === 0 ? { ...page, posts: [{ id, author: me }, ...page.posts] } : page,
        ),
      },
  )
}

export function removeFromFeed(client: QueryClient, id: string): void {
  client.setQueryData<FeedData>(
    feedKeys.pages,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, posts: page.posts.filter((each) => each.id !== id) })),
      },
  )
}

/**
 * Reloads the feed from the newest post; the current posts stay until it is loaded. If that fails, the feed refetches
 * when it is next shown.
 */
export async function showFreshFeed(client: QueryClient, me: string): Promise<void> {
  try {
    await client.cancelQueries({ queryKey: feedKeys.pages })
    const first = await readPage(client, me, null)
    client.setQueryData<FeedData>(feedKeys.pages, { pages: [first], pageParams: [null] })
  } catch (cause) {
    logFailure('read feed', cause)
    client.removeQueries({ queryKey: feedKeys.pages })
    forgetOnDisk(client, [feedKeys.pages])
  }
}
