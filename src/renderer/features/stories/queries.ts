import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { type Cursor, newestFirst, nextCursor } from '#/renderer/lib/keyset'
import { STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { STORIES_PAGE } from '#/shared/limits'

/** What a list reads of a story: neither its media nor its thumbnail, which come by id when they are wanted. */
const STORY_COLUMNS =
  'id,user_id,media_type,content,media_width,media_height,duration_ms,created_at,expires_at,author:profiles!stories_user_id_fkey(username,avatar_url,allow_story_replies),my_view:story_views(viewer_id)'

function readStories(me: string) {
  return supabase().from('stories').select(STORY_COLUMNS).eq('my_view.viewer_id', me)
}

type StoryRow = NonNullable<Awaited<ReturnType<typeof readStories>>['data']>[number]

/** A story as lists show it. */
export interface Story extends Omit<StoryRow, 'media_type' | 'my_view'> {
  kind: 'image' | 'video'
  /** The member has seen it; never true of one's own. */
  isSeen: boolean
}

interface StripPage {
  stories: Story[]
  next: Cursor | undefined
}

type StripData = InfiniteData<StripPage, Cursor>

export const storyKeys = {
  strip: ['stories'] as const,
  story: (id: string) => ['story', id] as const,
  viewers: (id: string) => ['story viewers', id] as const,
}

function toStory({ media_type, my_view, ...rest }: StoryRow): Story {
  return { ...rest, kind: media_type === 'video' ? 'video' : 'image', isSeen: my_view.length > 0 }
}

/** One page of the running stories, newest first. Throws an `AppError`. */
export async function loadStripPage(me: string, after: Cursor): Promise<StripPage> {
  // 'now' is the database's: the clock of this machine may be wrong.
  const running = readStories(me).gt('expires_at', 'now')
  const rows = await unwrap(
    newestFirst(running, { after, size: STORIES_PAGE, idColumn: 'id', timeColumn: 'expires_at' }),
  )
  const next = nextCursor(rows, STORIES_PAGE, ({ expires_at, id }) => ({ createdAt: expires_at, id }))
  return { stories: rows.map(toStory), next }
}

function storiesOf(data: StripData): Story[] {
  const stories = data.pages.flatMap((page) => page.stories)
  return [...new Map(stories.map((story) => [story.id, story])).values()]
}

/** All running stories that the member may see, newest first, in pages (STORY-02). */
export function useStripQuery() {
  const { id: me } = useMe()
  return useInfiniteQuery({
    queryKey: storyKeys.strip,
    queryFn: ({ pageParam }) => loadStripPage(me, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.next,
    select: storiesOf,
    staleTime: STALE.short,
    refetchInterval: STALE.minute,
    refetchOnWindowFocus: true,
  })
}

/** The stories that the strip has read; none before it did. */
export function knownStories(client: QueryClient): Story[] {
  const data = client.getQueryData<StripData>(storyKeys.strip)
  return data === undefined ? [] : storiesOf(data)
}

/** A story by its id; null when it is gone, hidden, or long expired. Throws an `AppError`. */
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

/**
 * A story by its id: what the strip knows shows at once, and whether it is still there is asked. Null when it is gone,
 * hidden, or long expired.
 */
export function useStoryQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({ ...storyOptions(client, me, id), staleTime: 0 })
}

/** What is known of a story that is on screen; nothing is asked before `refetch` is called. */
export function useKnownStory(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({ ...storyOptions(client, me, id), enabled: false })
}

function patchStrip(client: QueryClient, change: (stories: Story[]) => Story[]): void {
  client.setQueryData<StripData>(
    storyKeys.strip,
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, stories: change(page.stories) })) },
  )
}

/** Takes a story out of the strip. */
export function dropFromStrip(client: QueryClient, id: string): void {
  patchStrip(client, (stories) => stories.filter((story) => story.id !== id))
}

/** Has the strip read anew, e.g. once a story of one's own was shared. */
export function refreshStrip(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: storyKeys.strip })
}

/** Says that one has seen a story; the strip shows it at once (STORY-06, STORY-07). A failure is only logged. */
export function useRecordViewMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(
        supabase().from('story_views').upsert({ story_id: id, viewer_id: me }, { ignoreDuplicates: true }),
      ),
    onMutate: async (id) => {
      // A page read before the view is stored would show it as unseen again.
      await client.cancelQueries({ queryKey: storyKeys.strip })
      patchStrip(client, (stories) =>
        stories.map((story) => (story.id === id ? { ...story, isSeen: true } : story)),
      )
    },
    meta: { action: 'record story view' },
  })
}

/** Deletes one's own story (STORY-09); whoever shows it learns from the cache that it is gone. */
export function useDeleteStoryMutation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => unwrap(supabase().from('stories').delete().eq('id', id)),
    onSuccess: async (_answer, id) => {
      await client.cancelQueries({ queryKey: storyKeys.strip })
      dropFromStrip(client, id)
      client.setQueryData(storyKeys.story(id), null)
      await refreshStrip(client)
    },
    meta: { action: 'delete story' },
  })
}
