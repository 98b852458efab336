/** The displayed form of a website: without its scheme, and without a trailing slash. */
export function websiteLabel(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')
}

/** `example.com:8080` starts with a host, not a scheme: a scheme here has no dot, and no digit after its colon. */
const SCHEME = /^[a-z][a-z0-9+-]*:(?!\d)/i

/** Trims a website, and adds https:// if it has no scheme; '' stays ''. */
export function withScheme(typed: string): string {
  const website = typed.trim()
  if (website === '' || SCHEME.test(website)) return website
  return `https://${website.replace(/^\/+/, '')}`
}

/** Whether the database accepts this website: http or https only. */
export function isWebsite(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}
