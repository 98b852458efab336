import { type To, useLocation } from 'react-router-dom'
import { withPost } from '#/renderer/features/post'
import { withStory } from '#/renderer/features/stories'
import type { Notification } from './queries'

/** The target of a notification (NOTE-04): its post or story in a modal, or else the actor's profile. */
export function useRouteFor({ post_id, story_id, actor }: Notification): To {
  const { pathname, search } = useLocation()
  if (post_id !== null) return { pathname, search: withPost(search, post_id) }
  if (story_id !== null) return { pathname, search: withStory(search, story_id) }
  return `/profile/${actor.username}`
}
