import { exploreRoute } from '#/renderer/lib/content/topics'
import { texts } from '#/renderer/lib/texts'
import { isolate } from '#/shared/bidi'

const TITLES: Record<string, string> = {
  '/login': texts.access.signIn,
  '/signup': texts.access.signUp,
  '/create': texts.pages.create,
  '/edit-profile': texts.pages.editProfile,
  '/settings': texts.pages.settings,
  '/messages': texts.pages.messages,
}

function exploreTitle(search: string): string | undefined {
  const route = exploreRoute(search)
  if (route === null) return undefined
  return route.page === 'explore'
    ? texts.explore.title
    : route.page === 'hashtag'
      ? `#${route.name}`
      : route.name
}

/** The window title for an address: `Settings · Vignette`; on the feed only the product name. */
export function pageTitle(pathname: string, search = ''): string {
  const [, first, username] = pathname.split('/')
  const page = pathname === '/' ? exploreTitle(search) : first === 'profile' ? username : TITLES[pathname]
  return page ? `${isolate(page)} · ${texts.product}` : texts.product
}
