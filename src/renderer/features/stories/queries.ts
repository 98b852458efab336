import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useMe } from '#/renderer/features/auth'
// Not the folder's index, so that the strip does not load the code that prepares pictures.
import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { onCaughtUp, onRowChange } from '#/renderer/lib/live'
import {
  forgetObjects,
  objectOptions,
  type PictureSource,
  prefetchMediaUrls,
  preloadPicture,
  type StoredSource,
  storedSource,
  thumbnailSource,
  useMediaUrls,
} from '#/renderer/lib/media-store'
import { createThumbnailLoader } from '#/renderer/lib/media-store/thumbnails'
import { type Cursor, newestFirst, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { KEEP, STALE } from '#/renderer/lib/queries/query-client'
import { BROKEN_PICTURE } from '#/renderer/lib/server/checks/stored-pictures'
import { supabase, unwrap, unwrapWithCount } from '#/renderer/lib/server/supabase'
import { PEOPLE_PAGE, STORIES_PAGE } from '#/shared/limits'
import { storyKeys } from './keys'

/** The columns of lists. Inline media and thumbnails are large, and loaded by id when they are needed. */
const STORY_COLUMNS =
  'id,user_id,media_type,content,media_path,poster_path,thumbhash,media_width,media_height,duration_ms,created_at,expires_at,author:profiles!stories_user_id_fkey(username,avatar_url,avatar_path,allow_story_replies),my_view:story_views(viewer_id)'

function readStories(me: string) {
  return supabase().from('stories').select(STORY_COLUMNS).eq('my_view.viewer_id', me)
}

type StoryRow = NonNullable<Awaited<ReturnType<typeof readStories>>['data']>[number]

/** A story without its media. */
export interface Story extends Omit<StoryRow, 'media_type' | 'my_view'> {
  kind: 'image' | 'video'
  /** Whether the member has seen it; false for their own stories. */
  isSeen: boolean
}

interface StripPage {
  stories: Story[]
  next: Cursor | undefined
}

export type StripData = InfiniteData<StripPage, Cursor>

function toStory({ media_type, my_view, ...rest }: StoryRow): Story {
  return { ...rest, kind: media_type === 'video' ? 'video' : 'image', isSeen: my_view.length > 0 }
}

/** One page of the current stories, newest first. Throws an `AppError`. */
export async function loadStripPage(me: string, after: Cursor): Promise<StripPage> {
  // PostgreSQL evaluates 'now', because this machine's clock may be wrong.
  const current = readStories(me).gt('expires_at', 'now')
  const rows = await unwrap(
    newestFirst(current, { after, size: STORIES_PAGE, idColumn: 'id', timeColumn: 'expires_at' }),
  )
  const next = nextCursor(rows, STORIES_PAGE, ({ expires_at, id }) => ({ createdAt: expires_at, id }))
  return { stories: rows.map(toStory), next }
}

function storiesOf(data: StripData): Story[] {
  const stories = data.pages.flatMap((page) => page.stories)
  return [...new Map(stories.map((story) => [story.id, story])).values()]
}

/** The current stories visible to the member, newest first, in pages (STORY-02). */
export function useStripQuery() {
  const { id: me } = useMe()
  return useInfiniteQuery({
    queryKey: storyKeys.strip,
    queryFn: ({ pageParam }) => loadStripPage(me, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    select: storiesOf,
    staleTime: STALE.short,
    refetchInterval: STALE.minute,
    refetchOnWindowFocus: true,
  })
}

/** The stories that the strip and profiles have loaded. */
export function knownStories(client: QueryClient): Story[] {
  const strip = client.getQueryData<StripData>(storyKeys.strip)
  const members = client.getQueriesData<Story[]>({ queryKey: storyKeys.ofMembers })
  const stories = [
    ...members.flatMap(([, data]) => data ?? []),
    ...(strip === undefined ? [] : storiesOf(strip)),
  ]
  return [...new Map(stories.map((story) => [story.id, story])).values()]
}

/** A member's current stories. Throws an `AppError`. */
export async function loadMemberStories(me: string, memberId: string): Promise<Story[]> {
  const current = readStories(me).eq('user_id', memberId).gt('expires_at', 'now')
  const page = { after: null, size: STORIES_PAGE, idColumn: 'id', timeColumn: 'expires_at' }
  return (await unwrap(newestFirst(current, page))).map(toStory)
}

/** A member's current stories, unless the account is closed to the reader. */
export function useMemberStoriesQuery(memberId: string, isOpen: boolean) {
  const { id: me } = useMe()
  return useQuery({
    queryKey: storyKeys.ofMember(memberId),
    queryFn: () => loadMemberStories(me, memberId),
    staleTime: STALE.short,
    enabled: isOpen,
  })
}

/** A story by id; null if it is deleted, hidden, or long expired. Throws an `AppError`. */
export async function loadStory(me: string, id: string): Promise<Story | null> {
  const [row] = await unwrap(readStories(me).eq('id', id))
  return row === undefined ? null : toStory(row)
}

function storyOptions(client: QueryClient, me: string, id: string) {
  return queryOptions({
    queryKey: storyKeys.story(id),
    queryFn: () => loadStory(me, id),
    initialData: () => knownStories(client).find((story) => story.id === id),
    initialDataUpdatedAt: () => client.getQueryState(storyKeys.strip)?.dataUpdatedAt,
  })
}

/** A story by id, first from the strip's data, then from the server. Null if it is deleted, hidden, or long expired. */
export function useStoryQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({ ...storyOptions(client, me, id), staleTime: 0 })
}

/** The cached data of a story on screen; only `refetch` sends a request. */
export function useKnownStory(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({ ...storyOptions(client, me, id), enabled: false })
}

/** Refetches a stale strip after a reconnect. */
export function useLiveStrip(): void {
  const client = useQueryClient()
  useEffect(
    () => onCaughtUp(() => void client.refetchQueries({ queryKey: storyKeys.strip, stale: true })),
    [client],
  )
}

/** Thumbnails per request. */
const THUMBNAILS_PAGE = 20

/**
 * A picture; a video as a link, or as a Blob if it is inline, so that the element can seek without decoding a data URL; or a video
 * that must not be shown.
 */
export type StoryMedia =
  | { kind: 'image'; source: PictureSource }
  | { kind: 'video'; video: Blob | string }
  | { kind: 'refused' }

/** Where a story is shown: in an upright frame as high as the window, or the whole window if it is narrow. */
export const STORY_SIZES = 'min(100vw, (100vh - 40px) * 9 / 16)'

const thumbnailLoader = onePerClient(() => createThumbnailLoader('stories', THUMBNAILS_PAGE))

/** A story's full inline media; null if it is deleted or expired. Throws an `AppError`. */
export async function loadMedia(id: string): Promise<StoryMedia | null> {
  const [row] = await unwrap(supabase().from('stories').select('media_type,media_url').eq('id', id))
  if (row?.media_url == null) return null
  if (row.media_type === 'video')
    return row.media_url === BROKEN_PICTURE
      ? { kind: 'refused' }
      : { kind: 'video', video: await blobOfDataUrl(row.media_url) }
  return { kind: 'image', source: { kind: 'inline', url: row.media_url, preview: null } }
}

function thumbnailOptions(id: string) {
  return {
    queryKey: storyKeys.thumbnail(id),
    queryFn: ({ client }: { client: QueryClient }) => thumbnailLoader(client)(id),
    staleTime: STALE.immutable,
  }
}

function mediaOptions(id: string) {
  return {
    queryKey: storyKeys.media(id),
    queryFn: () => loadMedia(id),
    staleTime: STALE.immutable,
    gcTime: KEEP.picture,
  }
}

/** The thumbnail of a story by its id; null without a thumbnail. Sends no request without an id. */
export function useThumbnailQuery(id: string | null) {
  return useQuery({ ...thumbnailOptions(id ?? ''), enabled: id !== null })
}

type MediaColumns = Pick<
  Story,
  'id' | 'kind' | 'media_path' | 'poster_path' | 'thumbhash' | 'media_width' | 'media_height' | 'expires_at'
>

/** The picture of a story in Storage: its poster, and the picture itself. Null for an inline story. */
function storedPicture(story: MediaColumns): StoredSource | null {
  const { media_path: path, poster_path: poster, thumbhash } = story
  if (path === null) return null
  const paths = story.kind === 'image' ? { grid: poster ?? path, full: path } : { grid: poster ?? path }
  const { media_width: width, media_height: height, expires_at: until } = story
  const uses = { grid: poster === null ? 'story' : 'poster', full: 'story' } as const
  return { ...storedSource(paths, { width, height }, thumbhash, uses), until }
}

/** A small picture of a story; null while it is loaded, and if there is none. */
export function useThumbnail(story: MediaColumns): PictureSource | null {
  const isInline = story.media_path === null
  const { data = null } = useThumbnailQuery(isInline ? story.id : null)
  const { poster_path, thumbhash, expires_at } = story
  return isInline ? data : thumbnailSource(poster_path, thumbhash, null, 'poster', expires_at)
}

interface MediaResult {
  /** Undefined while it is loaded; null if the story is deleted or expired. */
  media: StoryMedia | null | undefined
  isError: boolean
  refetch: () => void
}

/** The query of a story's video that the server has not checked. */
const unchecked = (client: QueryClient, path: string, { expires_at }: MediaColumns) =>
  objectOptions(client, { path, use: 'video' }, expires_at)

/** A story's full media. */
export function useMedia(story: MediaColumns): MediaResult {
  const inline = useQuery({ ...mediaOptions(story.id), enabled: story.media_path === null })
  const source = storedPicture(story)
  const path = story.media_path ?? ''
  const links = useMediaUrls(source === null ? [] : [...source.sizes.map((size) => size.path), path])
  const link = links.links[path]
  const isUnchecked = story.kind === 'video' && link?.isChecked === false
  const read = useQuery({ ...unchecked(useQueryClient(), path, story), enabled: isUnchecked })
  if (source === null)
    return { media: inline.data, isError: inline.isError, refetch: () => void inline.refetch() }
  const isError = links.isError && link === undefined
  const result = { isError, refetch: () => void links.signAgain() }
  if (link === undefined) return { ...result, media: links.isPending || isError ? undefined : null }
  if (story.kind === 'image') return { ...result, media: { kind: 'image', source } }
  if (!isUnchecked) return { ...result, media: { kind: 'video', video: link.url } }
  if (read.data === undefined)
    return { media: undefined, isError: read.isError, refetch: () => void read.refetch() }
  return {
    ...result,
    media: read.data === null ? { kind: 'refused' } : { kind: 'video', video: read.data.url },
  }
}

/** Signs the links to a story's media. */
export function signStory(
  client: QueryClient,
  { media_path, poster_path }: Pick<Story, 'media_path' | 'poster_path'>,
): void {
  prefetchMediaUrls(
    client,
    [poster_path, media_path].filter((path) => path !== null),
  )
}

/** Prefetches a thumbnail; several calls are batched. */
export function prefetchThumbnail(
  client: QueryClient,
  story: Pick<Story, 'id' | 'media_path' | 'poster_path'>,
): void {
  if (story.media_path === null) void client.prefetchQuery(thumbnailOptions(story.id))
  else if (story.poster_path !== null) prefetchMediaUrls(client, [story.poster_path])
}

/** Prefetches a story's media and decodes its picture; of a video in Storage its poster. */
export function prefetchMedia(client: QueryClient, story: MediaColumns): void {
  prefetchThumbnail(client, story)
  const source = storedPicture(story)
  const loading =
    source === null
      ? client.fetchQuery(mediaOptions(story.id)).then(decodeAhead)
      : preloadPicture(client, source, STORY_SIZES)
  if (story.kind === 'video' && story.media_path !== null) prefetchMediaUrls(client, [story.media_path])
  // The viewer tries again, and reports the failure.
  loading.catch(() => undefined)
}

/** Removes the media of a story from the cache that was deleted or is hidden. */
export function removeMedia(
  client: QueryClient,
  { id, media_path, poster_path }: Pick<Story, 'id' | 'media_path' | 'poster_path'>,
): void {
  client.removeQueries({ queryKey: storyKeys.media(id) })
  client.removeQueries({ queryKey: storyKeys.thumbnail(id) })
  forgetObjects(client, (path) => path === media_path || path === poster_path)
}

async function decodeAhead(media: StoryMedia | null): Promise<void> {
  if (media?.kind !== 'image' || media.source.kind !== 'inline' || media.source.url === null) return
  const image = new Image()
  image.src = media.source.url
  await image.decode()
}

/** Prefetches the media of the next stories. */
export function usePrefetchedMedia(stories: readonly Story[]): void {
  const client = useQueryClient()
  const latest = useRef(stories)
  useEffect(() => {
    latest.current = stories
  })
  const joined = stories.map(({ id }) => id).join()
  useEffect(() => {
    for (const story of latest.current) if (joined.includes(story.id)) prefetchMedia(client, story)
  }, [client, joined])
}

/** Prefetches the media of a story of which only the id is known; its row if the strip has not loaded it. */
export function prefetchStory(client: QueryClient, me: string, id: string): void {
  const load = async () => {
    const story = await client.fetchQuery(storyOptions(client, me, id))
    if (story !== null) prefetchMedia(client, story)
  }
  // The viewer tries again, and reports the failure.
  load().catch(() => undefined)
}

export function usePrefetchedStory(id: string | null): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  useEffect(() => {
    if (id !== null) prefetchStory(client, me, id)
  }, [client, me, id])
}

/** A page of the viewers of a story, newest first; the first page has the total. Throws an `AppError`. */
export async function loadViewers(storyId: string, after: Cursor) {
  const query = newestFirst(
    supabase()
      .from('story_views')
      .select(
        'viewer_id,created_at,viewer:profiles!story_views_viewer_id_fkey(username,full_name,avatar_url,avatar_path)',
        after === null ? { count: 'exact' } : {},
      )
      .eq('story_id', storyId),
    { after, size: PEOPLE_PAGE, idColumn: 'viewer_id' },
  )
  const { rows: viewers, count } = await unwrapWithCount(query)
  const next = nextCursor(viewers, PEOPLE_PAGE, (row) => ({ createdAt: row.created_at, id: row.viewer_id }))
  return { viewers, count, next }
}

/** A viewer of the member's story (STORY-06). */
export type StoryViewer = Awaited<ReturnType<typeof loadViewers>>['viewers'][number]

/** The viewers of the member's story, newest first, in pages, and their number. */
export function useViewersQuery(storyId: string) {
  return useInfiniteQuery({
    queryKey: storyKeys.viewers(storyId),
    queryFn: ({ pageParam }) => loadViewers(storyId, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    select: ({ pages }) => ({
      count: pages[0]?.count ?? 0,
      viewers: [
        ...new Map(pages.flatMap((page) => page.viewers).map((each) => [each.viewer_id, each])).values(),
      ],
    }),
    staleTime: 0,
  })
}

/** Refetches the viewers of the member's story when someone views it. */
export function useLiveViewers(storyId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey: storyKeys.viewers(storyId) })
    const unsubscribe = [
      onRowChange('notifications', ({ row }) => {
        if (row.type === 'story_view' && row.story_id === storyId) refresh()
      }),
      onCaughtUp(refresh),
    ]
    return () => {
      for (const each of unsubscribe) each()
    }
  }, [client, storyId])
}
