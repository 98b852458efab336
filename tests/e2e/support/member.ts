import { randomBytes } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import type { Database } from '#/shared/database.types'
import type { ServerInfo } from '#/shared/server'

/** A member of the test's server, and a client that acts as them. */
export interface Member {
  readonly id: string
  readonly username: string
  readonly fullName: string
  readonly email: string
  readonly password: string
  readonly api: SupabaseClient<Database>
  /** Origin of the member's server; an embedded one serves the app there. */
  readonly origin: string
  /** The entries that supabase-js has in the page's storage while this member is signed in. */
  readonly storage: readonly { name: string; value: string }[]
}

/** Creates a client that stores its session in the given map. */
export function createApi(
  server: Pick<ServerInfo, 'url' | 'publishableKey' | 'storageKey'>,
  kept = new Map<string, string>(),
): SupabaseClient<Database> {
  return createClient<Database>(server.url, server.publishableKey, {
    auth: {
      storageKey: `vignette.session.${server.storageKey}`,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => {
          kept.set(key, value)
        },
        removeItem: (key) => {
          kept.delete(key)
        },
      },
      autoRefreshToken: false,
      detectSessionInUrl: false,
    },
    // Node 20 has no WebSocket.
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })
}

/** Default name and password of test members. */
export const DEFAULT_MEMBER = { fullName: 'Mara Lind', password: 'correct horse' } as const

/** Signs a new member up, as the sign-up screen does: the account, then its profile row. */
export async function createMember(
  server: ServerInfo,
  wanted: Partial<Pick<Member, 'username' | 'fullName' | 'password'>> = {},
): Promise<Member> {
  const { username, fullName, password } = {
    ...DEFAULT_MEMBER,
    username: `m${randomBytes(5).toString('hex')}`,
    ...wanted,
  }
  const email = emailOf(username)
  const kept = new Map<string, string>()
  const api = createApi(server, kept)
  const { data, error } = await api.auth.signUp({
    email,
    password,
    options: { data: { username, full_name: fullName } },
  })
  if (error) throw error
  if (data.user === null || data.session === null) throw new Error('Sign-up gave no session')
  const { id } = data.user
  const inserted = await api.from('profiles').insert({ id, username, full_name: fullName })
  if (inserted.error) throw inserted.error
  return memberOf(server, api, kept, { id, username, fullName, password })
}

/** Signs an existing member in, e.g. one of the demo community. */
export async function signInMember(
  server: ServerInfo,
  { username, fullName, password }: Pick<Member, 'username' | 'fullName' | 'password'>,
): Promise<Member> {
  const kept = new Map<string, string>()
  const api = createApi(server, kept)
  const { data, error } = await api.auth.signInWithPassword({ email: emailOf(username), password })
  if (error) throw error
  const { id } = data.user
  return memberOf(server, api, kept, { id, username, fullName, password })
}

/** A member whose client has signed in and stored the session in `items`. */
export function memberOf(
  server: ServerInfo,
  api: Member['api'],
  items: ReadonlyMap<string, string>,
  who: Pick<Member, 'id' | 'username' | 'fullName' | 'password'>,
): Member {
  const storage = [...items].map(([name, value]) => ({ name, value }))
  return { ...who, email: emailOf(who.username), api, origin: server.url, storage }
}

function emailOf(username: string): string {
  return `${username}@example.com`
}

/** Signs a browser in without the login screen, by writing the session to its storage once, so that a sign-out stays. */
export async function plantSession(
  context: BrowserContext,
  origin: string,
  member: Pick<Member, 'storage'>,
): Promise<void> {
  await context.setStorageState({ cookies: [], origins: [{ origin, localStorage: [...member.storage] }] })
}
