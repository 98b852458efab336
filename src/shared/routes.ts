import { USERNAME_PATTERN } from './limits'

/** The scheme of the app's links from outside; electron-builder.yml registers the same. */
export const LINK_SCHEME = 'vignette'

/** A place in the app that something outside of the page may lead to: a notification, the tray, a link, a start. */
export type AppRoute =
  | { page: 'home' }
  | { page: 'create' }
  | { page: 'settings' }
  | { page: 'messages' }
  | { page: 'conversation'; id: string }
  | { page: 'profile'; username: string }
  | { page: 'post'; id: string }
  | { page: 'story'; id: string }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Longer than any route is. */
const MAX_LENGTH = 200

/** The page's address of a route: path and query, as the renderer's router has it. */
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
    case 'story':
      return `/?${route.page}=${route.id}`
  }
}

/** A route with an id or a name in it, if that can be one. */
function named(page: 'conversation' | 'profile' | 'post' | 'story', value: string): AppRoute | null {
  const text = value.toLowerCase()
  if (page === 'profile') return USERNAME_PATTERN.test(text) ? { page, username: text } : null
  return UUID.test(text) ? { page, id: text } : null
}

const PLAIN: readonly AppRoute[] = [
  { page: 'home' },
  { page: 'create' },
  { page: 'settings' },
  { page: 'messages' },
]
const PLAIN_PATHS = new Map(PLAIN.map((route) => [routePath(route), route]))

const NAMED = [
  [/^\/messages\?c=([^&]+)$/, 'conversation'],
  [/^\/profile\/([^/?]+)$/, 'profile'],
  [/^\/\?post=([^&]+)$/, 'post'],
  [/^\/\?story=([^&]+)$/, 'story'],
] as const

/** Reads a page's address, as `routePath` writes it; null for everything else, whatever it looks like. */
export function parseRoute(path: string): AppRoute | null {
  if (path.length > MAX_LENGTH) return null
  const plain = PLAIN_PATHS.get(path)
  if (plain !== undefined) return plain
  for (const [pattern, page] of NAMED) {
    const value = pattern.exec(path)?.[1]
    if (value !== undefined) return named(page, value)
  }
  return null
}

const LINK = new RegExp(`^${LINK_SCHEME}://([a-z]+)(?:/([^/?#]+))?/?$`, 'i')

const PLAIN_LINKS = new Map<string, AppRoute>(PLAIN.map((route) => [route.page, route]))

const LINK_NAMES = new Map([
  ['messages', 'conversation'],
  ['profile', 'profile'],
  ['post', 'post'],
  ['story', 'story'],
] as const)

/**
 * Reads a link from outside: `vignette://profile/NAME`, `…://post/ID`, `…://story/ID`, `…://messages/ID`, or one of
 * `home`, `create`, `settings`, `messages` alone. Null for everything else: links are written by anybody.
 */
export function parseLink(link: string): AppRoute | null {
  if (link.length > MAX_LENGTH) return null
  const match = LINK.exec(link)
  if (match === null) return null
  const [, first = '', value] = match
  const page = first.toLowerCase()
  if (value === undefined) return PLAIN_LINKS.get(page) ?? null
  const kind = LINK_NAMES.get(page as 'post')
  return kind === undefined ? null : named(kind, value)
}

/** More than the two tokens of a session, in characters. */
const AUTH_LENGTH_MAX = 8_000

/**
 * The fragment of a link from a mail of Supabase Auth (`vignette://auth#access_token=…`), which contains a session or
 * an error; null for every other link.
 */
export function authFragment(link: string): string | null {
  if (link.length > AUTH_LENGTH_MAX) return null
  return /^vignette:\/\/auth\/?(?:\?[^#]*)?#(.+)$/i.exec(link)?.[1] ?? null
}

/** Whether an argument of the command line or of the system is meant as such a link. */
export function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${LINK_SCHEME}:`)
}

/** The link that leads to a route. */
export function routeLink(route: AppRoute): string {
  switch (route.page) {
    case 'conversation':
      return `${LINK_SCHEME}://messages/${route.id}`
    case 'profile':
      return `${LINK_SCHEME}://profile/${route.username}`
    case 'post':
    case 'story':
      return `${LINK_SCHEME}://${route.page}/${route.id}`
    default:
      return `${LINK_SCHEME}://${route.page}`
  }
}

/** The thing a page shows, by its whole address: a post or story over the page counts before the page below it. */
export function routeInView(address: string): AppRoute | null {
  const url = URL.parse(address)
  if (url === null) return null
  for (const over of ['story', 'post'] as const) {
    const id = url.searchParams.get(over)
    if (id !== null) return named(over, id)
  }
  const conversation = url.searchParams.get('c')
  return parseRoute(conversation === null ? url.pathname : `${url.pathname}?c=${conversation}`)
}
