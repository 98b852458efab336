import { LINK_SCHEME } from './routes'
import { parseServerUrl, type ServerAddress } from './server'

/** Enough for an address and a key that is a JSON web token, in characters. */
const LENGTH_MAX = 1_000

/** Characters of publishable keys, and of the JSON web tokens before them. */
const KEY = /^[\w.-]+$/

/** A link that fills in the address and publishable key of a server in 'Connect to a server…'. */
export function serverLink({ url, publishableKey }: ServerAddress): string {
  return `${LINK_SCHEME}://connect?${new URLSearchParams({ url, key: publishableKey })}`
}

/** Parses a link written by `serverLink`; null for anything else: links are untrusted input. */
export function parseServerLink(link: string): ServerAddress | null {
  if (link.length > LENGTH_MAX) return null
  const query = /^vignette:\/\/connect\/?\?([^#]+)$/i.exec(link)?.[1]
  if (query === undefined) return null
  const parameters = new URLSearchParams(query)
  if ([...parameters.keys()].toSorted().join() !== 'key,url') return null
  const parsed = parseServerUrl(parameters.get('url') ?? '')
  const publishableKey = parameters.get('key') ?? ''
  return parsed.ok && KEY.test(publishableKey) ? { url: parsed.url, publishableKey } : null
}
