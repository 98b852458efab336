import { texts } from '#/renderer/lib/texts'
import type { FollowRequest, Notification } from './queries'

type Happening = Pick<Notification, 'type' | 'message' | 'comment_id' | 'story_id'>

/** What the actor did, as a text that follows their name. */
export function whatHappened(notification: Happening): string {
  switch (notification.type) {
    case 'mention': {
      const { comment, story, post } = texts.notifications.mention
      if (notification.comment_id !== null) return comment
      return notification.story_id !== null ? story : post
    }
    case 'like':
    case 'comment':
    case 'follow':
    case 'story_view':
      return texts.notifications[notification.type]
    default:
      return notification.message ?? ''
  }
}

/** The notifications without those of requests that are shown above them. */
export function withoutRequests(
  list: readonly Notification[] = [],
  requests: readonly FollowRequest[],
): Notification[] {
  const requesterIds = new Set(requests.map(({ requester_id }) => requester_id))
  return list.filter(({ about, actor_id }) => about !== 'follow_request' || !requesterIds.has(actor_id))
}
