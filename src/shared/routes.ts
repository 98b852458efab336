import { USERNAME_PATTERN } from './limits'

/** The scheme of deep links. Must match electron-builder.yml. */
export const LINK_SCHEME = 'vignette'

/** A route that can be opened from outside the page: by a notification, the tray, a deep link or the command line. */
export type AppRoute =
  | { page: 'home' }
  | { page: 'create' }
  | { page: 'settings' }
  | { page: 'messages' }
  | { page: 'conversation'; id: string }
  | { page: 'profile'; username: string }
  | { page: 'post'; id: string; commentId?: string }
  | { page: 'story'; id: string }

/** The id of the form for a new story. */
export const NEW_STORY = 'new'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** No valid route or link is longer. */
const LENGTH_MAX = 200

/** The path and query of a route in the renderer's router. */
export function routePath(route: AppRoute): string {
  switch (route.page) {
    case 'home':
      return '/'
    case 'create':
    case 'settings':
    case 'messages':
      return `/${route.page}`
    case 'conversation':
      return `/messages?c=${route.id}`
    case 'profile':
      return `/profile/${route.username}`
    case 'post':
      return `/?post=${route.id}${route.commentId === undefined ? '' : `&comment=${route.commentId}`}`
    case 'story':
      return `/?story=${route.id}`
  }
}

/** Creates a route with an id or username; null if the value is not valid. */
function routeWithValue(page: 'conversation' | 'profile' | 'post' | 'story', value: string): AppRoute | null {
  const text = value.toLowerCase()
  if (page === 'profile') return USERNAME_PATTERN.test(text) ? { page, username: text } : null
  return UUID.test(text) ? { page, id: text } : null
}

/** Creates the route of a post, or of a comment under it. */
function postRoute(id: string, comment: string | null | undefined): AppRoute | null {
  const route = routeWithValue('post', id)
  if (comment == null || route?.page !== 'post') return route
  const commentId = comment.toLowerCase()
  return UUID.test(commentId) ? { ...route, commentId } : null
}

/** The screen that a route opens: of a comment, its post. */
export function screenOf(route: AppRoute): AppRoute {
  return route.page === 'post' ? { page: 'post', id: route.id } : route
}

const PAGES: readonly AppRoute[] = [
  { page: 'home' },
  { page: 'create' },
  { page: 'settings' },
  { page: 'messages' },
]
const PAGE_PATHS = new Map(PAGES.map((route) => [routePath(route), route]))

const ROUTE_PATTERNS = [
  [/^\/messages\?c=([^&]+)$/, 'conversation'],
  [/^\/profile\/([^/?]+)$/, 'profile'],
  [/^\/\?post=([^&]+)(?:&comment=([^&]+))?$/, 'post'],
  [/^\/\?story=([^&]+)$/, 'story'],
] as const

/** Parses a path written by `routePath`; null for anything else. */
export function parseRoute(path: string): AppRoute | null {
  if (path.length > LENGTH_MAX) return null
  const plain = PAGE_PATHS.get(path)
  if (plain !== undefined) return plain
  for (const [pattern, page] of ROUTE_PATTERNS) {
    const [, value, comment] = pattern.exec(path) ?? []
    if (value !== undefined) return page === 'post' ? postRoute(value, comment) : routeWithValue(page, value)
  }
  return null
}

const LINK = new RegExp(`^${LINK_SCHEME}://([a-z]+)(?:/([^/?#]+))?/?(?:\\?comment=([^&#]+))?$`, 'i')

const PAGE_LINKS = new Map<string, AppRoute>(PAGES.map((route) => [route.page, route]))

const LINK_KINDS = new Map([
  ['messages', 'conversation'],
  ['profile', 'profile'],
  ['post', 'post'],
  ['story', 'story'],
] as const)

/**
 * Parses a deep link: `vignette://profile/NAME`, `…://post/ID`, `…://post/ID?comment=ID`, `…://story/ID`, `…://messages/ID`, or just `home`,
 * `create`, `settings` or `messages`. Null for anything else: links are untrusted input.
 */
export function parseLink(link: string): AppRoute | null {
  if (link.length > LENGTH_MAX) return null
  const match = LINK.exec(link)
  if (match === null) return null
  const [, first = '', value, comment] = match
  const page = first.toLowerCase()
  if (comment !== undefined) return page === 'post' ? postRoute(value ?? '', comment) : null
  if (value === undefined) return PAGE_LINKS.get(page) ?? null
  const kind = LINK_KINDS.get(page as 'post')
  return kind === undefined ? null : routeWithValue(kind, value)
}

/** Enough for the two tokens of a session, in characters. */
const AUTH_LENGTH_MAX = 8_000

/**
 * The fragment of a Supabase Auth email link (`vignette://auth#access_token=…`), which contains a session or an error;
 * null for any other link.
 */
export function authFragment(link: string): string | null {
  if (link.length > AUTH_LENGTH_MAX) return null
  return /^vignette:\/\/auth\/?(?:\?[^#]*)?#(.+)$/i.exec(link)?.[1] ?? null
}

/** Whether a command-line argument is a link with the app's scheme. */
export function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${LINK_SCHEME}:`)
}

/** The deep link of a route. */
export function routeLink(route: AppRoute): string {
  switch (route.page) {
    case 'conversation':
      return `${LINK_SCHEME}://messages/${route.id}`
    case 'profile':
      return `${LINK_SCHEME}://profile/${route.username}`
    case 'post': {
      const comment = route.commentId === undefined ? '' : `?comment=${route.commentId}`
      return `${LINK_SCHEME}://post/${route.id}${comment}`
    }
    case 'story':
      return `${LINK_SCHEME}://story/${route.id}`
    default:
      return `${LINK_SCHEME}://${route.page}`
  }
}

/** The route that a page URL shows. A story or post shown over a page takes precedence over the page. */
export function routeInView(address: string): AppRoute | null {
  const url = URL.parse(address)
  if (url === null) return null
  for (const overlay of ['story', 'post'] as const) {
    const id = url.searchParams.get(overlay)
    if (id !== null) return routeWithValue(overlay, id)
  }
  const conversation = url.searchParams.get('c')
  return parseRoute(conversation === null ? url.pathname : `${url.pathname}?c=${conversation}`)
}
