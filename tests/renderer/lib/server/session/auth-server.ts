import { vi } from 'vitest'
import type { DesktopBridge } from '#/shared/bridge'
import { type ServerInfo, sessionKey } from '#/shared/server'
import { PROFILE_DEFAULTS } from '#tests/renderer/profile-row'

export const SERVER: ServerInfo = {
  kind: 'chosen',
  url: 'http://127.0.0.1:1',
  publishableKey: 'sb_publishable_test',
  storageKey: 'chosen',
  demo: [],
  mailFile: null,
}

export const KEY = sessionKey(SERVER)

const LIFETIME_S = 3_600

export const USER = {
  id: '00000000-0000-4000-8000-000000000001',
  email: 'mara@example.com',
  aud: 'authenticated',
  created_at: '2026-11-21T12:00:00Z',
  app_metadata: {},
  user_metadata: { username: 'mara', full_name: 'Mara Lind' },
}

export const PROFILE = {
  id: USER.id,
  username: 'mara',
  full_name: 'Mara Lind',
  ...PROFILE_DEFAULTS,
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Reads the expiry of a token that this server has issued, in seconds; null for any other text. */
function expiryOf(token: string): number | null {
  try {
    const { exp }: { exp?: number } = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    )
    return exp ?? null
  } catch {
    return null
  }
}

/** Supabase's Auth and one table, as a page on another origin sees them. */
export class AuthServer {
  /** Answers of refreshes that do not come from Auth, or null. A function may throw, as without a network. */
  oddAnswer: (() => Response) | null = null
  refreshes = 0
  /** Requests to the table with an expired token, and as a visitor. */
  readonly refused = { expired: 0, visitor: 0 }
  private issued = 0

  /**
   * @param now the true time in milliseconds
   * @param showsDate whether the page can read the Date header
   */
  constructor(
    private readonly now: () => number,
    private readonly showsDate: boolean,
  ) {}

  session(user: unknown = USER): Record<string, unknown> {
    const seconds = Math.floor(this.now() / 1_000)
    this.issued += 1
    const claims = { sub: USER.id, iat: seconds, exp: seconds + LIFETIME_S, jti: this.issued }
    return {
      access_token: `${encode({ alg: 'none' })}.${encode(claims)}.signature`,
      refresh_token: `refresh-${this.issued}`,
      token_type: 'bearer',
      expires_in: LIFETIME_S,
      expires_at: claims.exp,
      user,
    }
  }

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    const answer = (json: unknown, status = 200) =>
      Response.json(json, {
        status,
        headers: this.showsDate ? { date: new Date(this.now()).toUTCString() } : {},
      })
    switch (`${init?.method ?? 'GET'} ${pathname}`) {
      case 'POST /auth/v1/token':
        if (searchParams.get('grant_type') === 'refresh_token') {
          this.refreshes += 1
          if (this.oddAnswer !== null) return this.oddAnswer()
          const { refresh_token }: { refresh_token: string } = JSON.parse(String(init?.body))
          if (!refresh_token.startsWith('refresh-'))
            return answer({ code: 'refresh_token_not_found', message: 'Invalid Refresh Token' }, 400)
        }
        return answer(this.session())
      case 'POST /auth/v1/logout':
        return new Response(null, { status: 204 })
      case 'GET /auth/v1/user':
        return answer(USER)
      case 'GET /rest/v1/profiles': {
        const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
        if (token === SERVER.publishableKey) {
          this.refused.visitor += 1
          return answer([])
        }
        if ((expiryOf(token) ?? 0) * 1_000 > this.now()) return answer([PROFILE])
        this.refused.expired += 1
        return answer({ code: 'PGRST303', message: 'JWT expired' }, 401)
      }
      default:
        throw new Error(`unexpected request: ${init?.method ?? 'GET'} ${pathname}`)
    }
  }
}

/** Stores sessions in a map. */
export function sessionsIn(kept: Map<string, string>): DesktopBridge['session'] {
  return {
    getItem: async (key) => kept.get(key) ?? null,
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async (key) => void kept.delete(key),
    persistence: async () => 'secure',
    keepAnyway: async () => undefined,
  }
}

/** Loads the app's modules as a new page does, without knowledge of the server's time, and connects its client. */
export async function startClient(server: AuthServer, kept: Map<string, string>) {
  vi.resetModules()
  vi.stubGlobal('fetch', server.fetch)
  const { connectSupabase, unwrap } = await import('#/renderer/lib/server/supabase')
  // Loaded later by the app; timers of the test do not wait for the files.
  await Promise.all([
    import('#/renderer/lib/server/session/session-fetch'),
    import('#/renderer/lib/server/checks/auth-answer'),
  ])
  const onSessionRefused = vi.fn()
  const ignore = () => undefined
  const client = connectSupabase(SERVER, sessionsIn(kept), {
    onSocketClosed: ignore,
    onSlowResponse: ignore,
    onSessionRefused,
    onOthersSession: () => undefined,
    onSignedOut: ignore,
    onVersions: ignore,
  })
  return {
    client,
    onSessionRefused,
    onOthersSession: () => undefined,
    signIn: () => unwrap(client.auth.signInWithPassword({ email: USER.email, password: 'long enough' })),
    read: () => unwrap(client.from('profiles').select('id')),
  }
}
