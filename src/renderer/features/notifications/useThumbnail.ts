import { useQuery } from '@tanstack/react-query'
import { useStoryThumbnailQuery } from '#/renderer/features/stories'
import { createThumbnailLoader } from '#/renderer/lib/batch-loader'
import { onePerClient, STALE } from '#/renderer/lib/query-client'
import { NOTIFICATIONS_SHOWN } from '#/shared/limits'
import type { Notification } from './queries'

const thumbnailLoader = onePerClient(() => createThumbnailLoader('posts', NOTIFICATIONS_SHOWN))

/** The thumbnail of the post or story of a notification; notifications about the same one share a request. */
export function useThumbnail({ post_id, story_id }: Notification): string | null {
  const { data: ofPost = null } = useQuery({
    queryKey: ['post thumbnail', post_id],
    queryFn: ({ client }) => (post_id === null ? null : thumbnailLoader(client)(post_id)),
    enabled: post_id !== null,
    staleTime: STALE.immutable,
  })
  const { data: ofStory = null } = useStoryThumbnailQuery(story_id)
  return ofPost ?? ofStory
}
