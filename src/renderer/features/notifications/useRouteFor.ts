import { type To, useLocation } from 'react-router-dom'
import { withPost } from '#/renderer/features/post'
import { withStory } from '#/renderer/features/stories'
import type { Notification } from './queries'

/** Where a notification leads (NOTE-04): its post or story, over the page one is on; else whoever it is about. */
export function useRouteFor({ post_id, story_id, actor }: Notification): To {
  const { pathname, search } = useLocation()
  if (post_id !== null) return { pathname, search: withPost(search, post_id) }
  if (story_id !== null) return { pathname, search: withStory(search, story_id) }
  return `/profile/${actor.username}`
}
