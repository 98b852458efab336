import { type To, useLocation } from 'react-router-dom'
import { withPost } from '#/renderer/features/post'
import type { Notification } from './queries'

/** The page with a story open over it. */
function withStory(search: string, id: string): string {
  const parameters = new URLSearchParams(search)
  parameters.set('story', id)
  return `?${parameters}`
}

/** Where a notification leads (NOTE-04): its post or story, over the page one is on; else whoever it is about. */
export function usePlaceOf({ post_id, story_id, actor }: Notification): To {
  const { pathname, search } = useLocation()
  if (post_id !== null) return { pathname, search: withPost(search, post_id) }
  if (story_id !== null) return { pathname, search: withStory(search, story_id) }
  return `/profile/${actor.username}`
}
