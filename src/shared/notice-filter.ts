import type { Notice, NoticeKind, WindowState } from './bridge'
import type { NotificationTopic, Preferences } from './preferences'
import { type AppRoute, parseRoute, routePath, screenOf } from './routes'

const TOPICS: Record<NoticeKind, NotificationTopic> = {
  message: 'messages',
  like: 'likes',
  comment: 'comments',
  mention: 'comments',
  reply: 'comments',
  comment_like: 'likes',
  follow: 'follows',
  request: 'follows',
  accepted: 'follows',
  // Story views are frequent and minor, so they share the topic of likes.
  story_view: 'likes',
}

/** The state that decides whether a notice is shown. */
export interface NoticeContext {
  /** Milliseconds since 1970. */
  now: number
  preferences: Pick<Preferences, 'notifications' | 'notificationsPausedUntil'>
  window: WindowState
  /** The route that the page shows. */
  inView: AppRoute | null
}

/**
 * Whether to show a notice: not if its topic is off, notifications are paused, or the member is looking at its route.
 */
export function shouldShowNotice(
  notice: Notice,
  { now, preferences, window, inView }: NoticeContext,
): boolean {
  if (!preferences.notifications[TOPICS[notice.kind]]) return false
  const { notificationsPausedUntil: until } = preferences
  if (until !== null && now < until) return false
  const isInFront = window.isVisible && window.isFocused
  const route = parseRoute(notice.route)
  // A post that is open shows its comments.
  return !(
    isInFront &&
    inView !== null &&
    route !== null &&
    routePath(screenOf(inView)) === routePath(screenOf(route))
  )
}
