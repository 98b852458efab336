import { texts } from '#/renderer/lib/texts'

const TITLES: Record<string, string> = {
  '/login': texts.auth.signIn,
  '/signup': texts.auth.signUp,
  '/create': texts.composer.title,
  '/edit-profile': texts.editProfile.title,
  '/settings': texts.settings.title,
  '/messages': texts.messages.title,
}

/** The window title for a path: `Settings · Vignette`; on the feed only the product name. */
export function pageTitle(pathname: string): string {
  const [, first, username] = pathname.split('/')
  const page = first === 'profile' ? username : TITLES[pathname]
  return page ? `${page} · ${texts.product}` : texts.product
}
