import { isLoopbackHost } from '#/shared/server'

/** Which Host and Origin headers the server accepts. */
export interface AccessRules {
  /** Allowed origins besides the server's. */
  allowedOrigins: readonly string[]
  /** Whether pages on any port of this machine are allowed (`npm run backend`, which serves several apps). */
  allowsLoopbackOrigins: boolean
}

export type Access =
  | {
      allowed: true /** The origin for CORS headers; null for the server's own pages. */
      crossOrigin: string | null
    }
  | { allowed: false; reason: string }

/**
 * Rejects requests of foreign pages: the Host header reveals DNS rebinding (a foreign name that resolves to 127.0.0.1), the
 * Origin header all other pages. Requests without an Origin do not come from a page.
 */
export function checkAccess(
  host: string | undefined,
  origin: string | undefined,
  rules: AccessRules,
): Access {
  const target = host === undefined ? null : parseOrigin(`http://${host}`)
  if (target === null || !isLoopbackHost(target.hostname)) {
    return { allowed: false, reason: 'This server does not answer under that host name.' }
  }
  if (origin === undefined || origin === target.origin) return { allowed: true, crossOrigin: null }
  if (rules.allowedOrigins.includes(origin)) return { allowed: true, crossOrigin: origin }
  const page = parseOrigin(origin)
  if (rules.allowsLoopbackOrigins && page?.protocol === 'http:' && isLoopbackHost(page.hostname)) {
    return { allowed: true, crossOrigin: origin }
  }
  return { allowed: false, reason: 'This server does not answer pages of that origin.' }
}

/** Characters of a name with its scheme and port. A longer one in punycode takes milliseconds. */
const ORIGIN_CHARACTERS_MAX = 300

function parseOrigin(text: string): URL | null {
  if (text.length > ORIGIN_CHARACTERS_MAX) return null
  return URL.canParse(text) ? new URL(text) : null
}
