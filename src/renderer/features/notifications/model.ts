import { texts } from '#/renderer/lib/texts'
import type { FollowRequest, Notification } from './queries'

export function whatHappened(notification: Notification): string {
  switch (notification.type) {
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
