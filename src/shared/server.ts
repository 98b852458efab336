import type { ServerAddress } from './server-address'

export type { ServerAddress }

/** A demo member that a visitor can sign in as. */
export interface DemoMember {
  username: string
  fullName: string
  email: string
  /** Random per data folder. The embedded server is only reachable on loopback. */
  password: string
}

/** The current server, as returned by `window.desktop.server.current()` and `GET /config.json`. */
export interface ServerInfo extends ServerAddress {
  /** `embedded`: on this machine; `chosen`: chosen on the sign-in screen; `fixed`: set by environment or build. */
  kind: 'embedded' | 'chosen' | 'fixed'
  /**
   * Identifies the stored session and what is kept for it: `EMBEDDED_KEY`, or `storageKeyOf` the address.
   */
  storageKey: string
  /** Demo members to sign in as; empty unless embedded. */
  demo: DemoMember[]
  /** The file that the embedded server writes emails to (password reset codes), for the screen that asks for a code. */
  mailFile: string | null
}

/** The `storageKey` of the embedded server: not its URL, which can change. */
export const EMBEDDED_KEY = 'embedded'

/** The `storageKey` of another server: its host. That of one label could be `EMBEDDED_KEY`, or it with supabase-js's suffix, and is written as origin. */
export function storageKeyOf({ url }: ServerAddress): string {
  const { host, origin } = new URL(url)
  return /[.:]/.test(host) ? host : origin
}

/** supabase-js's `storageKey` for this server, under which its session is stored. */
export function sessionKey(server: Pick<ServerInfo, 'storageKey'>): string {
  return `vignette.session.${server.storageKey}`
}

/** Why an address cannot be used. The renderer has a text for each. */
export type ServerProblem =
  | 'url'
  | 'insecure'
  | 'unreachable'
  /** It redirects, e.g. to a sign-in page or a new address. */
  | 'redirect'
  | 'not-supabase'
  | 'key'
  /** The schema is missing. */
  | 'schema'
  | 'outdated'
  /** The server serves newer versions of this app only. */
  | 'app'
  /** Realtime does not publish the tables of messages and notifications. */
  | 'changes'
  /** The policies for Realtime's private channels are missing. */
  | 'channels'
  /** Storage is not set up. The server can be used, for texts. */
  | 'storage'

/** `warning`: a problem with which the server can still be used. */
export type ServerCheck =
  | { ok: true; address: ServerAddress; warning?: 'storage' }
  | { ok: false; problem: ServerProblem }

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a host name (without port) is a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/**
 * Parses an address as typed by a member (`example.supabase.co`, with or without scheme and trailing slash). Returns
 * its origin or the problem: `insecure` for http outside loopback; `url` for other schemes, credentials, a path, a
 * query, or characters that could break a Content-Security-Policy.
 */
export function parseServerUrl(
  input: string,
): { ok: true; url: string } | { ok: false; problem: ServerProblem } {
  const text = input.trim()
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  let url: URL
  try {
    url = new URL(withScheme)
  } catch {
    return { ok: false, problem: 'url' }
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, problem: 'url' }
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'url' }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return { ok: false, problem: 'url' }
  if (!/^[a-z0-9.-]+$|^\[[0-9a-f:]+\]$/i.test(url.hostname)) return { ok: false, problem: 'url' }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) return { ok: false, problem: 'insecure' }
  return { ok: true, url: url.origin }
}
