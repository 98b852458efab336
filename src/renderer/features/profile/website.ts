import type { Link } from '#/renderer/lib/content/links'
import { webAddress } from '#/renderer/lib/content/web-address'

/**
 * The displayed form of a website: without its scheme, and without a slash after the host. Null for an address that can be read as
 * another one, as older versions stored it.
 */
export function websiteLink(website: string): (Pick<Link, 'url'> & { label: string }) | null {
  const link = webAddress(website)
  return link && { url: link.url, label: withoutScheme(link.shown) }
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')
}

/** `example.com:8080` starts with a host, not a scheme: a scheme here has no dot, and no digit after its colon. */
const SCHEME = /^[a-z][a-z0-9+-]*:(?!\d)/i

/** Trims a website, and adds https:// if it has no scheme; '' stays ''. */
export function withScheme(typed: string): string {
  const website = typed.trim()
  if (website === '' || SCHEME.test(website)) return website
  return `https://${website.replace(/^\/+/, '')}`
}

/** Whether the database accepts this website: http or https only, and not disguised. */
export function isWebsite(text: string): boolean {
  return webAddress(text) !== null
}
