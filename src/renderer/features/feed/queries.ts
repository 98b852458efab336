import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { POST_COLUMNS, seedPosts, shownRatio } from '#/renderer/features/post'
import { logFailure } from '#/renderer/lib/core/logger'
import { forgetOnDisk } from '#/renderer/lib/disk-cache/persist'
import { type Cursor, newestFirst, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { isFromDisk, STALE } from '#/renderer/lib/queries/query-client'
import { shownCounts, supabase, unwrap } from '#/renderer/lib/server/supabase'
import { FEED_PAGE, POST_PHOTOS } from '#/shared/limits'
import { chosenFeed } from './chosen-feed'
import { FEED_KINDS, type FeedKind, feedKeys } from './keys'

export interface FeedPost {
  id: string
  author: string
  /** Width divided by height of its first photo, which places it on the wall. */
  ratio: number
}

/**
 * A page contains only the ids, authors and proportions of posts. The posts are cached by id, and dropped when far from the
 * viewport.
 */
interface FeedPage {
  posts: FeedPost[]
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
    .select(shownCounts(POST_COLUMNS))
    .eq('my_like.user_id', me)
    .eq('my_save.user_id', me)
    .order('position', { referencedTable: 'media' })
  return unwrap(newestFirst(posts, { after, size: FEED_PAGE, idColumn: 'id' }))
}

/** Media of a post, and the member's own like and save. A function's lists need a limit each. */
const LISTS = { media: POST_PHOTOS, my_like: 1, my_save: 1 } as const

/** Loads one page of the posts of followed members and the member, newest first. Throws an `AppError`. */
export function loadFollowingPage(me: string, after: Cursor) {
  const posts = supabase()
    .rpc('following_posts', after === null ? {} : { before_at: after.createdAt, before_id: after.id })
    .select(shownCounts(POST_COLUMNS))
    .eq('my_like.user_id', me)
    .eq('my_save.user_id', me)
    .order('position', { referencedTable: 'media' })
  for (const [referencedTable, rows] of Object.entries(LISTS)) posts.limit(rows, { referencedTable })
  return unwrap(posts.order('created_at', { ascending: false }).order('id', { ascending: false }))
}

const LOADERS = { everyone: loadFeedPage, following: loadFollowingPage } as const

/** The newest post of others since a time, excluding some members; an empty list if there is none. */
export function loadNewest(unwanted: readonly string[], since: string | null) {
  let query = supabase().from('posts').select('id').not('user_id', 'in', `(${unwanted.join()})`)
  if (since !== null) query = query.gt('created_at', since)
  return unwrap(query.order('created_at', { ascending: false }).limit(1))
}

async function readPage(client: QueryClient, kind: FeedKind, me: string, after: Cursor): Promise<FeedPage> {
  const startedAt = performance.now()
  const posts = await LOADERS[kind](me, after)
  seedPosts(client, posts, me, startedAt)
  return {
    posts: posts.map((post) => ({ id: post.id, author: post.user_id, ratio: shownRatio(post) })),
    newest: posts[0]?.created_at ?? null,
    next: nextCursor(posts, FEED_PAGE, ({ created_at, id }) => ({ createdAt: created_at, id })),
  }
}

/** A feed as ids in pages; `usePostQuery` loads the posts. */
export function useFeedQuery(kind: FeedKind) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useInfiniteQuery({
    queryKey: feedKeys.pages(kind),
    queryFn: ({ pageParam }) => readPage(client, kind, me, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    staleTime: STALE.live,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Unique posts without muted members: a post that moved to a later page while scrolling must not appear twice. */
export function feedPosts(data: FeedData | undefined, muted: ReadonlySet<string>): FeedPost[] {
  const posts = data?.pages.flatMap((page) => page.posts) ?? []
  const shown = posts.filter(({ author }) => !muted.has(author)).map((post) => [post.id, post] as const)
  return [...new Map(shown).values()]
}

/** Up to this scroll offset, in pixels, the top of the feed counts as on screen. */
const TOP = 72

/**
 * Loads the newest posts once after the feed was restored from disk. If the top of the feed is on screen, they replace
 * it; otherwise the feed stays as it is. Returns whether there are newer posts of others.
 */
export function useLatestPosts(
  kind: FeedKind,
  data: FeedData | undefined,
  muted: ReadonlySet<string>,
): boolean {
  const client = useQueryClient()
  const { id: me } = useMe()
  const queryKey = feedKeys.pages(kind)
  const [isRestored] = useState(() => {
    const query = client.getQueryCache().find({ queryKey })
    return query !== undefined && isFromDisk(query)
  })
  const { data: latest } = useQuery({
    queryKey: feedKeys.latest(kind),
    queryFn: async () => {
      const first = await readPage(client, kind, me, null)
      if (window.scrollY > TOP) return first
      await client.cancelQueries({ queryKey })
      client.setQueryData<FeedData>(queryKey, { pages: [first], pageParams: [null] })
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
 * Whether the newest posts of followed members contain unknown ones. Posts of a newly followed member may be older than
 * the loaded ones.
 */
async function hasUnknownPosts(me: string, data: FeedData, muted: ReadonlySet<string>): Promise<boolean> {
  const known = new Set(data.pages.flatMap(({ posts }) => posts.map(({ id }) => id)))
  const newest = await loadFollowingPage(me, null)
  return newest.some(({ id, user_id }) => user_id !== me && !muted.has(user_id) && !known.has(id))
}

/**
 * Whether others, except muted members, have posted since the feed was loaded. Checked once a minute, when the window is
 * focused, and when the member has followed somebody.
 */
export function useHasNewPosts(
  kind: FeedKind,
  data: FeedData | undefined,
  muted: ReadonlySet<string>,
): boolean {
  const { id: me } = useMe()
  const shown = data?.pages[0]?.newest ?? null
  const { data: hasNew = false } = useQuery({
    queryKey: feedKeys.newest(kind, shown),
    queryFn: async () => {
      if (kind === 'following' && data !== undefined) return hasUnknownPosts(me, data, muted)
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

type FeedPosts = FeedPage['posts']

/** Changes the loaded pages of both feeds. */
function changePages(client: QueryClient, change: (posts: FeedPosts, page: number) => FeedPosts): void {
  for (const kind of FEED_KINDS) {
    client.setQueryData<FeedData>(
      feedKeys.pages(kind),
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page, index) => ({ ...page, posts: change(page.posts, index) })),
        },
    )
  }
}

/** Puts a new post of the member on top of the loaded feeds. */
export function addToFeed(client: QueryClient, post: FeedPost): void {
  changePages(client, (posts, page) => (page === 0 ? [post, ...posts] : posts))
}

export function removeFromFeed(client: QueryClient, id: string): void {
  changePages(client, (posts) => posts.filter((post) => post.id !== id))
}

/**
 * Reloads the chosen feed from the newest post; the current posts stay until it is loaded. If that fails, the feed
 * refetches when it is next shown.
 */
export async function showFreshFeed(client: QueryClient, me: string): Promise<void> {
  const kind = chosenFeed(me)
  const queryKey = feedKeys.pages(kind)
  try {
    await client.cancelQueries({ queryKey })
    const first = await readPage(client, kind, me, null)
    client.setQueryData<FeedData>(queryKey, { pages: [first], pageParams: [null] })
  } catch (cause) {
    logFailure('read feed', cause)
    client.removeQueries({ queryKey })
    forgetOnDisk(client, [queryKey])
  }
}
