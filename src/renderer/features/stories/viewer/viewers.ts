import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toAppError } from '#/renderer/lib/errors'
import { type Cursor, newestFirst, nextCursor } from '#/renderer/lib/keyset'
import { onCaughtUp, onNotificationEvent } from '#/renderer/lib/live'
import { supabase } from '#/renderer/lib/supabase'
import { PEOPLE_PAGE } from '#/shared/limits'
import { storyKeys } from '../queries'

/** A page of who has seen a story, newest first, and how many have in all. Throws an `AppError`. */
export async function loadViewers(storyId: string, after: Cursor) {
  const { data, count, error } = await newestFirst(
    supabase()
      .from('story_views')
      .select(
        'viewer_id,created_at,viewer:profiles!story_views_viewer_id_fkey(username,full_name,avatar_url)',
        after === null ? { count: 'exact' } : {},
      )
      .eq('story_id', storyId),
    { after, size: PEOPLE_PAGE, idColumn: 'viewer_id' },
  )
  if (error !== null) throw toAppError(error)
  const next = nextCursor(data, PEOPLE_PAGE, (row) => ({ createdAt: row.created_at, id: row.viewer_id }))
  return { viewers: data, count, next }
}

/** Who has seen one's own story (STORY-06). */
export type StoryViewer = Awaited<ReturnType<typeof loadViewers>>['viewers'][number]

/** Those who have seen one's own story, newest first, in pages, and how many they are. */
export function useViewersQuery(storyId: string) {
  return useInfiniteQuery({
    queryKey: storyKeys.viewers(storyId),
    queryFn: ({ pageParam }) => loadViewers(storyId, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => ({
      count: pages[0]?.count ?? 0,
      viewers: [
        ...new Map(pages.flatMap((page) => page.viewers).map((each) => [each.viewer_id, each])).values(),
      ],
    }),
    staleTime: 0,
  })
}

/** Reads the viewers of one's own story anew as somebody sees it. */
export function useLiveViewers(storyId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey: storyKeys.viewers(storyId) })
    const ends = [
      onNotificationEvent((row) => {
        if (row.type === 'story_view' && row.story_id === storyId) refresh()
      }),
      onCaughtUp(refresh),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [client, storyId])
}
