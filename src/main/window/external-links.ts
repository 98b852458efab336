import type { Log } from '#/main/log'
import { createRateLimiter } from '#/main/rate-limit'
import { bridgeCalls } from '#/shared/bridge'

const WEB_PROTOCOLS = new Set(['https:', 'http:'])
/** Fields such as `attach` make some mail programs read local files. */
const MAIL_FIELDS = new Set(['subject', 'body'])

function isWeb({ protocol, hostname }: URL): boolean {
  return WEB_PROTOCOLS.has(protocol) && /^[a-z0-9._-]+$|^\[[0-9a-f:.]+\]$/.test(hostname)
}

function isMail({ protocol, searchParams }: URL): boolean {
  const fields = [...searchParams.keys()]
  return protocol === 'mailto:' && fields.every((field) => MAIL_FIELDS.has(field.toLowerCase()))
}

/**
 * Returns the URL in a form that is safe to hand to the system's browser or mail program, or null. http is allowed
 * because members' website links may use it; the app itself fetches nothing.
 */
export function externalUrl(text: string): string | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  if (url.username !== '' || url.password !== '') return null
  if (!isWeb(url) && !isMail(url)) return null
  // Characters that `URL` does not encode but some system openers mishandle.
  return url.href.replace(/[\s"<>`\\^{|}]/g, encodeURIComponent)
}

/** Opens a link outside the app. Returns false if the link is not allowed or the rate limit is exceeded. */
export type OpenExternal = (url: string) => boolean

export function createOpenExternal(
  shell: { openExternal(url: string): Promise<void> },
  now: () => number,
  log: Pick<Log, 'warn'>,
): OpenExternal {
  // Links and window.open also get here without passing the bridge's rate limit.
  const limiter = createRateLimiter(bridgeCalls['shell.openExternal'].limit, now)
  return (text) => {
    const url = externalUrl(text)
    if (url === null || !limiter.take()) {
      log.warn('external link refused')
      return false
    }
    shell.openExternal(url).catch((cause: unknown) => log.warn('external link could not be opened', cause))
    return true
  }
}
