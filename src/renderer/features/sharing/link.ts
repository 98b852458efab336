import { type AppRoute, routeLink, routePath } from '#/shared/routes'

/** What a member shares, with what its link needs. */
export type ShareSource =
  | { kind: 'post' | 'story'; id: string }
  | { kind: 'profile'; id: string; username: string }

export function routeOf(source: ShareSource): AppRoute {
  return source.kind === 'profile'
    ? { page: 'profile', username: source.username }
    : { page: source.kind, id: source.id }
}

/**
 * The link of a page to copy: the web address on this server in a browser, a deep link in the desktop app. Reads `window.desktop` itself, so that
 * queries, which import posts and with them this, run without a window.
 */
export function linkTo(route: AppRoute): string {
  return window.desktop?.host === 'electron'
    ? routeLink(route)
    : `${window.location.origin}${routePath(route)}`
}
