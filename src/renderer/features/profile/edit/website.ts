/** `example.com:8080` begins with a host, not with a scheme: schemes have no dot here and no digit after their colon. */
const SCHEME = /^[a-z][a-z0-9+-]*:(?!\d)/i

/** A website as it is meant: without spaces around it, and with https:// when no scheme was typed; '' stays ''. */
export function withScheme(typed: string): string {
  const website = typed.trim()
  if (website === '' || SCHEME.test(website)) return website
  return `https://${website.replace(/^\/+/, '')}`
}

/** Whether a text is an address that a profile may link to, as the database accepts it: http or https and nothing else. */
export function isWebsite(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}
