import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { POST_COLUMNS, seedPosts } from '#/renderer/features/post'
import { type Cursor, newestFirst, nextCursor } from '#/renderer/lib/keyset'
import { logFailure } from '#/renderer/lib/logger'
import { STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { FEED_PAGE } from '#/shared/limits'

/** What stays in memory of a page: whose posts it holds. The posts themselves are cached by id, and dropped when far away. */
interface FeedPage {
  posts: { id: string; author: string }[]
  newest: string | null
  next: Cursor | undefined
}

type FeedData = InfiniteData<FeedPage>

const feedKeys = {
  pages: ['feed', 'pages'] as const,
  newest: ['newest post'] as const,
}

/**
 * One page of posts, newest first, after a keyset cursor, with author, thumbnail, and the member's like and save.
 * Throws an `AppError`.
 */
export function loadFeedPage(me: string, after: Cursor) {
  const posts = supabase()
    .from('posts')
    .select(POST_COLUMNS)
    .eq('my_like.user_id', me)
    .eq('my_save.user_id', me)
  return unwrap(newestFirst(posts, { after, size: FEED_PAGE, idColumn: 'id' }))
}

/** The newest post of others since a time, without those of the unwanted; an empty list when there is none. */
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

/** The feed as ids, page by page; the posts behind them are read with `usePostQuery`. */
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

/** Every id once, without muted members: a post that moved to a later page while one scrolled does not show twice. */
export function feedIds(data: FeedData | undefined, muted: ReadonlySet<string>): string[] {
  const posts = data?.pages.flatMap((page) => page.posts) ?? []
  return [...new Set(posts.filter(({ author }) => !muted.has(author)).map(({ id }) => id))]
}

/** Members that one address can name: all above may light the pill for nothing. */
const MOST_UNWANTED = 100

/** Whether others, but muted ones, posted since the feed was read. Asked once a minute, and when the window comes back. */
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

/** Takes a post that is gone out of the feed. */
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
 * Begins the feed anew at the newest post, what is shown staying until that is read. When it cannot be read, the
 * feed reads itself when it is next shown.
 */
export async function showFreshFeed(client: QueryClient, me: string): Promise<void> {
  try {
    await client.cancelQueries({ queryKey: feedKeys.pages })
    const first = await readPage(client, me, null)
    client.setQueryData<FeedData>(feedKeys.pages, { pages: [first], pageParams: [null] })
  } catch (cause) {
    logFailure('read feed', cause)
    client.removeQueries({ queryKey: feedKeys.pages })
  }
}
