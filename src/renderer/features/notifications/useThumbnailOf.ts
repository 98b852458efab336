import { useQuery } from '@tanstack/react-query'
import { useStoryThumbnailQuery } from '#/renderer/features/stories'
import { createBatchLoader } from '#/renderer/lib/batch-loader'
import { onePerClient, STALE } from '#/renderer/lib/query-client'
import { answer, supabase } from '#/renderer/lib/supabase'
import { NOTIFICATIONS_SHOWN } from '#/shared/limits'
import type { Notification } from './queries'

const thumbnailLoader = onePerClient(() =>
  createBatchLoader<string>(async (ids) => {
    const rows = await answer(supabase().from('posts').select('id,thumbnail_url').in('id', ids))
    return new Map(
      rows.flatMap(({ id, thumbnail_url }) => (thumbnail_url === null ? [] : [[id, thumbnail_url]])),
    )
  }, NOTIFICATIONS_SHOWN),
)

/** A small picture of the post or story that a notification is about, once for all that are about the same one. */
export function useThumbnailOf({ post_id, story_id }: Notification): string | null {
  const { data: ofPost = null } = useQuery({
    queryKey: ['post thumbnail', post_id],
    queryFn: ({ client }) => (post_id === null ? null : thumbnailLoader(client)(post_id)),
    enabled: post_id !== null,
    staleTime: STALE.immutable,
  })
  const { data: ofStory = null } = useStoryThumbnailQuery(story_id)
  return ofPost ?? ofStory
}
