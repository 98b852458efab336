import type { Notice, NoticeKind, WindowState } from './bridge'
import type { NotificationTopic, Preferences } from './preferences'
import { type AppRoute, routePath } from './routes'

const TOPICS: Record<NoticeKind, NotificationTopic> = {
  message: 'messages',
  like: 'likes',
  comment: 'comments',
  follow: 'follows',
  request: 'follows',
  accepted: 'follows',
  // Views come in great numbers and say the least: whoever wants to hear of likes hears of them too.
  story_view: 'likes',
}

/** What is known when something happens. */
export interface NoticeMoment {
  /** Milliseconds since 1970. */
  now: number
  preferences: Pick<Preferences, 'notifications' | 'notificationsPausedUntil'>
  window: WindowState
  /** What the page shows. */
  inView: AppRoute | null
}

/** Whether a member wants to be told of this now: not what they chose not to hear, nor what they are looking at. */
export function isWanted(notice: Notice, { now, preferences, window, inView }: NoticeMoment): boolean {
  if (!preferences.notifications[TOPICS[notice.kind]]) return false
  const { notificationsPausedUntil: until } = preferences
  if (until !== null && now < until) return false
  const isInFront = window.isVisible && window.isFocused
  return !(isInFront && inView !== null && routePath(inView) === notice.route)
}
