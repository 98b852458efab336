/**
 * Playwright can neither open nor route `app:` pages, so a window's page runs as `https://bundle.localhost`. The app
 * never hears of that: what goes to it says `app://bundle`.
 */
const APP = 'app://'
const PAGE = { scheme: 'https://', suffix: '.localhost' }

/** `app://bundle/x` as the page's address; any other URL as it is. */
export function toPage(url: string): string {
  const [, host, rest = ''] = /^app:\/\/([^/?#]+)(.*)$/s.exec(url) ?? []
  return host === undefined ? url : `${PAGE.scheme}${host}${PAGE.suffix}${rest}`
}

/** The page's address as the app knows it, also of what it made itself (`blob:`); any other URL as it is. */
export function toApp(url: string): string {
  const [, blob = '', host, rest = ''] =
    /^(blob:)?https:\/\/([^/?#.]+)\.localhost(?=$|[/?#])(.*)$/s.exec(url) ?? []
  return host === undefined ? url : `${blob}${APP}${host}${rest}`
}

/** Whether this URL of a page stands for one of the app's own scheme. */
export function isOfApp(url: string): boolean {
  return toApp(url).startsWith(APP)
}
