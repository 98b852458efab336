import { texts } from '#/renderer/lib/texts'
import type { FollowRequest, NotificationGroup } from './queries'

type Happening = Pick<NotificationGroup, 'type' | 'message' | 'comment_id' | 'story_id'>

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
    case 'reply':
    case 'comment_like':
    case 'follow':
    case 'story_view':
      return texts.notifications[notification.type]
    default:
      return notification.message ?? ''
  }
}

/** The groups without follow requests that are shown above them. */
export function withoutRequests(
  list: readonly NotificationGroup[] = [],
  requests: readonly FollowRequest[],
): NotificationGroup[] {
  const requesterIds = new Set(requests.map(({ requester_id }) => requester_id))
  return list.filter(({ about, actors }) => about !== 'follow_request' || !requesterIds.has(actors[0].id))
}
