/**
 * Playwright can neither open nor route `app:` pages, so a window's page runs as `https://bundle.localhost`. The app
 * does not see this: URLs are translated to `app://bundle`.
 */
const APP = 'app://'
const PAGE = { scheme: 'https://', suffix: '.localhost' }

/** Translates `app://bundle/x` to the page's URL; returns any other URL unchanged. */
export function toPage(url: string): string {
  const [, host, rest = ''] = /^app:\/\/([^/?#]+)(.*)$/s.exec(url) ?? []
  return host === undefined ? url : `${PAGE.scheme}${host}${PAGE.suffix}${rest}`
}

/** Translates the page's URL (also `blob:`) to the app's scheme; returns any other URL unchanged. */
export function toApp(url: string): string {
  const [, blob = '', host, rest = ''] =
    /^(blob:)?https:\/\/([^/?#.]+)\.localhost(?=$|[/?#])(.*)$/s.exec(url) ?? []
  return host === undefined ? url : `${blob}${APP}${host}${rest}`
}

/** Whether this page URL represents one of the app's scheme. */
export function isOfApp(url: string): boolean {
  return toApp(url).startsWith(APP)
}
