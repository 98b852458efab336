import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigationType } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { useMutedIds } from '#/renderer/features/safety'
import { type TopicKind, topicName } from '#/renderer/lib/content/topics'
import { type Cursor, firstPage, newestFirst, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { STALE } from '#/renderer/lib/queries/query-client'
import { shownCounts, supabase, unwrap } from '#/renderer/lib/server/supabase'
import { GRID_PAGE, POST_PHOTOS, USERNAME_PATTERN } from '#/shared/limits'
import { profileKeys } from './keys'
import type { EditableProfile, GridKind } from './model'

const PROFILE_COLUMNS =
  'id,username,full_name,bio,website,avatar_url,avatar_path,is_private,post_count,follower_count,following_count,follows_me:follows!follows_follower_id_fkey(following_id)'

export type Profile = NonNullable<ReturnType<typeof useProfileQuery>['data']>

/** Loads a member by username; null if there is none. `follows_me` has a row if they follow `me`. Throws an `AppError`. */
export function loadProfile(username: string, me: string) {
  return unwrap(
    supabase()
      .from('profiles')
      .select(shownCounts(PROFILE_COLUMNS))
      .eq('username', username)
      .eq('follows_me.following_id', me)
      .maybeSingle(),
  )
}

export function useProfileQuery(username: string) {
  const { id: me } = useMe()
  return useQuery({
    queryKey: profileKeys.byUsername(username),
    queryFn: () => loadProfile(username, me),
    staleTime: STALE.short,
  })
}

/** The current username of the member who had this one last; null if there is none. */
export function useRenamedToQuery(username: string) {
  return useQuery({
    queryKey: profileKeys.renamedTo(username),
    queryFn: async (): Promise<string | null> => {
      const name = await unwrap(supabase().rpc('renamed_to', { name: username }))
      // A server may answer anything, and this becomes the address of the page.
      return name !== null && USERNAME_PATTERN.test(name) ? name : null
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** The member's stored profile, refetched on each visit to the form. */
export function useEditableProfileQuery(id: string) {
  return useQuery({
    queryKey: profileKeys.editable(id),
    queryFn: (): Promise<EditableProfile> =>
      unwrap(
        supabase()
          .from('profiles')
          .select('username,full_name,bio,website,avatar_url,avatar_path')
          .eq('id', id)
          .single(),
      ),
    staleTime: 0,
    gcTime: 0,
  })
}

interface GridPage {
  posts: GridPost[]
  next: Cursor | undefined
}

type GridData = InfiniteData<GridPage, Cursor>

/** Columns of a grid cell: the paths or the thumbnail, never the full picture. */
const CELL =
  'id,user_id,content,thumbnail_url,image_width,image_height,alt_text,like_count,comment_count,media:post_media(position,kind,feed_path,middle_path,grid_path,width,height,thumbhash,alt_text,duration_ms),author:profiles!posts_user_id_fkey(username)'

function loadPosts(memberId: string, after: Cursor, size: number) {
  const query = supabase()
    .from('posts')
    .select(shownCounts(`created_at,${CELL}`))
    .eq('user_id', memberId)
  return unwrap(newestFirst(query, { after, size, idColumn: 'id' }))
}

/** The posts whose photos may be shown beside a name: with those of texts among them, enough for three. */
const LATEST_POSTS = 12
const LATEST_SHOWN = 3

/** The latest posts of a member that have a photo: three at most. Throws an `AppError`. */
export async function loadLatestPhotos(memberId: string): Promise<GridPost[]> {
  const posts = await loadPosts(memberId, null, LATEST_POSTS)
  return posts.filter((post) => post.thumbnail_url !== null || post.media.length > 0).slice(0, LATEST_SHOWN)
}

export function useLatestPhotosQuery(memberId: string) {
  return useQuery({
    queryKey: profileKeys.latestPhotos(memberId),
    queryFn: () => loadLatestPhotos(memberId),
    staleTime: STALE.minute,
  })
}

export type GridPost = Omit<Awaited<ReturnType<typeof loadPosts>>[number], 'created_at'>

interface GridRow {
  created_at: string
  post_id: string
  post: GridPost | null
}

function toRow({ created_at, ...post }: GridPost & { created_at: string }): GridRow {
  return { created_at, post_id: post.id, post }
}

/** The posts of a hashtag or place, by the name that the database compares. */
function loadTopic(kind: TopicKind, name: string, after: Cursor) {
  const topics = supabase()
    .from('post_topics')
    .select(shownCounts(`created_at,post_id,post:posts!post_topics_post_id_fkey(${CELL})`))
    .eq('kind', kind)
    .eq('topic', topicName(name))
  return unwrap(newestFirst(topics, { after, size: GRID_PAGE, idColumn: 'post_id' }))
}

/** A page of a function that returns posts. */
async function callForPage(
  name: 'explore_posts' | 'search_posts',
  args: { query?: string },
  after: Cursor,
): Promise<GridRow[]> {
  const from = after === null ? {} : { before_at: after.createdAt, before_id: after.id }
  const posts = supabase()
    .rpc(name, { ...args, ...from })
    .select(shownCounts(`created_at,${CELL}`))
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    // A function's lists need a limit.
    .limit(POST_PHOTOS, { referencedTable: 'media' })
  return (await unwrap(posts)).map(toRow)
}

/** Newest first, by the time of the post, save or tag. Throws an `AppError`. */
const GRID_LOADERS = {
  hashtag: (name: string, after: Cursor): Promise<GridRow[]> => loadTopic('hashtag', name, after),
  place: (name: string, after: Cursor): Promise<GridRow[]> => loadTopic('place', name, after),
  explore: async (_: string, after: Cursor): Promise<GridRow[]> => callForPage('explore_posts', {}, after),
  search: async (query: string, after: Cursor): Promise<GridRow[]> =>
    callForPage('search_posts', { query }, after),
  posts: async (memberId: string, after: Cursor): Promise<GridRow[]> =>
    (await loadPosts(memberId, after, GRID_PAGE)).map(toRow),
  saved: (memberId: string, after: Cursor) =>
    unwrap(
      newestFirst(
        supabase()
          .from('saved_posts')
          .select(`created_at,post_id,post:posts!saved_posts_post_id_fkey(${CELL})`)
          .eq('user_id', memberId),
        { after, size: GRID_PAGE, idColumn: 'post_id' },
      ),
    ),
  tagged: (memberId: string, after: Cursor) =>
    unwrap(
      newestFirst(
        supabase()
          .from('post_tags')
          .select(`created_at,post_id,post:posts!post_tags_post_id_fkey(${CELL})`)
          .eq('tagged_user_id', memberId),
        { after, size: GRID_PAGE, idColumn: 'post_id' },
      ),
    ),
} as const

/** A page of a grid, newest first, without hidden posts. Throws an `AppError`. */
export async function loadGridPage(kind: GridKind, about: string, after: Cursor): Promise<GridPage> {
  const rows = await GRID_LOADERS[kind](about, after)
  return {
    // A saved post that has become hidden keeps its row: the embed is null then.
    posts: rows.flatMap(({ post }) => (post === null ? [] : [post])),
    next: nextCursor(rows, GRID_PAGE, (row) => ({ createdAt: row.created_at, id: row.post_id })),
  }
}

/** Keeps only the first page. */
function dropLaterPages(client: QueryClient, key: ReturnType<typeof profileKeys.grid>): void {
  const updatedAt = client.getQueryState(key)?.dataUpdatedAt
  if (updatedAt === undefined) return
  client.setQueryData<GridData>(key, firstPage, { updatedAt })
}

/** Profiles show muted members. */
const WITHOUT_MUTED: ReadonlySet<GridKind> = new Set(['hashtag', 'place', 'explore', 'search'])

/** A grid in pages. Restored when the member returns, otherwise loaded from the newest posts. */
export function useGridQuery(kind: GridKind, about: string) {
  const client = useQueryClient()
  const muted = useMutedIds()
  const hidden = WITHOUT_MUTED.has(kind) ? muted : null
  const queryKey = profileKeys.grid(kind, about)
  const navigation = useNavigationType()
  const [isBack] = useState(() => {
    if (navigation !== 'POP') dropLaterPages(client, queryKey)
    return navigation === 'POP'
  })
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => loadGridPage(kind, about, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    // A post that moved to a later page must not appear twice.
    select: ({ pages }) => {
      const posts = pages.flatMap((page) => page.posts)
      const unique = [...new Map(posts.map((post) => [post.id, post])).values()]
      return { posts: unique.filter(({ user_id }) => hidden?.has(user_id) !== true), pages: pages.length }
    },
    staleTime: 0,
    refetchOnMount: !isBack,
  })
}
