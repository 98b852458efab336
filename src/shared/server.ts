// The mini build: the renderer loads this module at its start.
import * as z from 'zod/mini'

export const serverAddressSchema = z.strictObject({
  /** Origin without a path, `https://…`, or `http://…` on loopback. */
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(2_000)),
  publishableKey: z.string().check(z.trim(), z.minLength(1), z.maxLength(4_000)),
})

/** A Supabase project as a member names it: its address and its publishable (or legacy anon) key. */
export type ServerAddress = z.infer<typeof serverAddressSchema>

/** A member of the demo community that a newcomer may look around as. */
export interface DemoMember {
  username: string
  fullName: string
  email: string
  /** Random per data folder; the embedded server answers on loopback only. */
  password: string
}

/** The server the app speaks to, as `window.desktop.server.current()` and `GET /config.json` give it. */
export interface ServerInfo extends ServerAddress {
  /** `embedded`: ours, on this machine; `chosen`: picked on the sign-in screen; `fixed`: by environment or build. */
  kind: 'embedded' | 'chosen' | 'fixed'
  /** Names the stored session: the constant `embedded`, or the server's host. Never the embedded server's URL. */
  storageKey: string
  /** Demo members to look around as; empty unless embedded. */
  demo: DemoMember[]
  /** Where the embedded server writes its mails (password reset codes), for the screen that asks for one. */
  mailFile: string | null
}

/** supabase-js's `storageKey` for this server: names its session in the host's store. */
export function sessionKey(server: Pick<ServerInfo, 'storageKey'>): string {
  return `vignette.session.${server.storageKey}`
}

/** Why an address cannot be used; texts for each are in the renderer's catalogue. */
export type ServerProblem =
  | 'url'
  | 'insecure'
  | 'unreachable'
  | 'not-supabase'
  | 'key'
  /** None of our migrations is there. */
  | 'schema'
  /** Newer migrations are missing. */
  | 'outdated'
  /** Realtime does not publish messages and notifications. */
  | 'changes'
  /** The policies of Realtime's private channels are missing. */
  | 'channels'

export type ServerCheck = { ok: true; address: ServerAddress } | { ok: false; problem: ServerProblem }

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a host name (without port) is this machine's. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/**
 * Reads an address as a member may type it (`example.supabase.co`, with or without scheme and trailing slash).
 * Gives its origin, or the problem with it: anything but https, or http on loopback, is `insecure`; credentials,
 * a path, a query or characters that could escape a Content-Security-Policy make it `url`.
 */
export function parseServerUrl(
  typed: string,
): { ok: true; url: string } | { ok: false; problem: ServerProblem } {
  const text = typed.trim()
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
