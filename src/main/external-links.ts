import { bridgeCalls } from '#/shared/bridge'
import type { Log } from './log'
import { createRateLimiter } from './rate-limit'

const WEB = new Set(['https:', 'http:'])
/** `attach` and the like make some mail programs read files. */
const MAIL_FIELDS = new Set(['subject', 'body'])

function isWeb({ protocol, hostname }: URL): boolean {
  return WEB.has(protocol) && /^[a-z0-9._-]+$|^\[[0-9a-f:.]+\]$/.test(hostname)
}

function isMail({ protocol, searchParams }: URL): boolean {
  const fields = [...searchParams.keys()]
  return protocol === 'mailto:' && fields.every((field) => MAIL_FIELDS.has(field.toLowerCase()))
}

/**
 * The URL as the system's browser or mail program may have it, or null. http is allowed because members' website
 * links may be http; nothing is fetched by the app itself.
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
  // What URL leaves as it is but some systems' openers are known to stumble over.
  return url.href.replace(/[\s"<>`\\^{|}]/g, encodeURIComponent)
}

/** Opens a link outside the app; gives false, and opens nothing, when it is none that may leave or one too many. */
export type OpenExternal = (url: string) => boolean

export function createOpenExternal(
  shell: { openExternal(url: string): Promise<void> },
  now: () => number,
  log: Pick<Log, 'warn'>,
): OpenExternal {
  // Pages also get here past the bridge: by links and window.open.
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
