import type { Notice } from '#/shared/bridge'
import { type AppRoute, parseRoute, routePath, screenOf } from '#/shared/routes'
import { texts } from './texts'

/** Notices with the same key are combined into one notification: by kind, and messages by conversation. */
export function groupKey({ kind, route }: Notice): string {
  return kind === 'message' ? `message ${route}` : kind
}

export interface NotificationContent {
  title: string
  body: string
  route: AppRoute
}

/** Combines the notices of one group, oldest first, into one notification. */
export function summarize(notices: readonly [Notice, ...Notice[]]): NotificationContent {
  const [first] = notices
  const latest = notices.at(-1) ?? first
  const route = parseRoute(first.route) ?? { page: 'home' }
  if (notices.length === 1) return { title: first.title, body: first.body, route }
  const summary = texts.notices.several[first.kind](notices.length)
  // For messages of one conversation, keep the sender's name as the title.
  if (first.kind === 'message') return { title: first.title, body: summary, route }
  const screens = new Set(
    notices.map((notice) => routePath(screenOf(parseRoute(notice.route) ?? { page: 'home' }))),
  )
  return { title: summary, body: latest.body, route: screens.size === 1 ? screenOf(route) : { page: 'home' } }
}
