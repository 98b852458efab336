import type { Notice } from '#/shared/bridge'
import { type AppRoute, parseRoute } from '#/shared/routes'
import { texts } from './texts'

/** Notices of one group become one when they come together: by kind, messages by their conversation. */
export function groupOf({ kind, route }: Notice): string {
  return kind === 'message' ? `message ${route}` : kind
}

/** What one notification shows and where it leads. */
export interface Told {
  title: string
  body: string
  route: AppRoute
}

/** One notification for a group of notices, at least one, oldest first. */
export function tellingOf(notices: readonly [Notice, ...Notice[]]): Told {
  const [first] = notices
  const latest = notices.at(-1) ?? first
  const route = parseRoute(first.route) ?? { page: 'home' }
  if (notices.length === 1) return { title: first.title, body: first.body, route }
  const summary = texts.notices.several[first.kind](notices.length)
  // Messages of one conversation: whom they are from says more than their number.
  if (first.kind === 'message') return { title: first.title, body: summary, route }
  const isSamePlace = notices.every((notice) => notice.route === first.route)
  return { title: summary, body: latest.body, route: isSamePlace ? route : { page: 'home' } }
}
