import { networkInterfaces } from 'node:os'
import { isLoopbackHost } from '#/shared/server'

/** Who may speak to the server, by the Host and Origin they name. */
export interface AccessRules {
  /** Origins of pages allowed besides the server's own. */
  allowedOrigins: readonly string[]
  /** Whether pages of any port of this machine may call too (`npm run backend`, which serves several apps). */
  allowsLoopbackOrigins: boolean
  /** The host the server was told to listen on. */
  listenHost: string
}

export type Access =
  | {
      allowed: true /** The origin to name in CORS headers: another than the server's own. */
      crossOrigin: string | null
    }
  | { allowed: false; reason: string }

/**
 * Keeps foreign pages out: one that had its own name resolve to 127.0.0.1 (DNS rebinding) by the Host header, one
 * that simply calls by its Origin. A request without an Origin comes from no page.
 */
export function checkAccess(
  host: string | undefined,
  origin: string | undefined,
  rules: AccessRules,
): Access {
  const named = host === undefined ? null : parseOrigin(`http://${host}`)
  if (named === null || !isOwnHost(named.hostname, rules.listenHost)) {
    return { allowed: false, reason: 'This server does not answer under that host name.' }
  }
  if (origin === undefined || origin === named.origin) return { allowed: true, crossOrigin: null }
  if (rules.allowedOrigins.includes(origin)) return { allowed: true, crossOrigin: origin }
  const page = parseOrigin(origin)
  if (rules.allowsLoopbackOrigins && page?.protocol === 'http:' && isLoopbackHost(page.hostname)) {
    return { allowed: true, crossOrigin: origin }
  }
  return { allowed: false, reason: 'This server does not answer pages of that origin.' }
}

function parseOrigin(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

function isOwnHost(hostname: string, listenHost: string): boolean {
  if (isLoopbackHost(hostname)) return true
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (listenHost === '0.0.0.0' || listenHost === '::') return ownAddresses().includes(bare)
  return bare === listenHost.toLowerCase()
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map((entry) => entry.address),
  )
}
