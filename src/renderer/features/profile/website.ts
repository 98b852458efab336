/** The displayed form of a website: without its scheme, and without a trailing slash. */
export function websiteLabel(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')
}
