import { texts } from '#/main/texts'
import type { Notice } from '#/shared/bridge'
import { type NoticeContent, redactNotice } from '#/shared/notice-privacy'
import { type AppRoute, parseRoute, routePath, screenOf } from '#/shared/routes'

/** Notices with the same key are combined into one notification: by kind, and messages by conversation. */
export function groupKey({ kind, route }: Notice): string {
  return kind === 'message' ? `message ${route}` : kind
}

export interface NotificationContent {
  title: string
  body: string
  route: AppRoute
}

/** Combines the notices of one group, oldest first, into one notification that shows no more than `shows`. */
export function summarize(
  notices: readonly [Notice, ...Notice[]],
  shows: NoticeContent,
): NotificationContent {
  const first = redactNotice(notices[0], shows)
  const latest = notices.at(-1) ?? first
  const route = parseRoute(first.route) ?? { page: 'home' }
  if (notices.length === 1) return { title: first.title, body: first.body, route }
  const kind = shows === 'nothing' && first.kind !== 'message' ? 'hidden' : first.kind
  const summary = texts.notices.several[kind](notices.length)
  if (first.kind === 'message') {
    // All are of one conversation: its sender stays the title.
    return shows === 'nothing'
      ? { title: summary, body: '', route }
      : { title: first.title, body: summary, route }
  }
  const screens = new Set(
    notices.map((notice) => routePath(screenOf(parseRoute(notice.route) ?? { page: 'home' }))),
  )
  const body = { text: latest.body, name: names(notices), nothing: '' }[shows]
  return { title: summary, body, route: screens.size === 1 ? screenOf(route) : { page: 'home' } }
}

/** Number of names in a summary; the latest come last. */
const MAX_NAMES = 3

function names(notices: readonly Notice[]): string {
  return [...new Set(notices.map(({ title }) => title))].slice(-MAX_NAMES).join(', ')
}
