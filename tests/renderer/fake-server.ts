import { vi } from 'vitest'
import { useSessionStore } from '#/renderer/features/auth/session-store'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { handleVersions } from '#/renderer/lib/live/connection'
import { setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { connectSupabase, supabase } from '#/renderer/lib/server/supabase'
import type { ServerInfo } from '#/shared/server'
import { PROFILE_DEFAULTS } from '#tests/renderer/profile-row'
import { stopRefreshing } from '#tests/renderer/stop-refresh'

/** The last part of a path before its parameters, without `rpc/`: the name of a table or function. */
type Name = string

interface Call {
  /** `GET posts`, `POST search_profiles`. */
  name: string
  query: URLSearchParams
  body: unknown
}

/** What the server answers: rows, or a `Response`. It never answers while the promise is pending. */
type Answer = (call: Call) => unknown

export interface FakeServer {
  /** All requests so far. */
  calls: Call[]
  /** The bodies of the requests to a table or function, oldest first. */
  sent: (name: string) => unknown[]
  /** Answers requests like `GET posts`, from now on. */
  on: (name: string, answer: Answer) => void
  /** Answers all requests that have no answer of their own, from now on. */
  onOthers: (answer: Answer) => void
}

export const ME = 'e0000000-0000-4000-8000-00000000000e'

/** The profile of the signed-in member. */
export const PROFILE = {
  id: ME,
  username: 'mara',
  full_name: 'Mara Lindt',
  bio: '',
  website: null,
  ...PROFILE_DEFAULTS,
  created_at: '2026-01-01T12:00:00Z',
}

const SERVER: ServerInfo = {
  kind: 'embedded',
  url: 'http://127.0.0.1:1',
  publishableKey: 'key',
  storageKey: 'embedded',
  demo: [],
  mailFile: null,
}

/** The session that supabase-js finds on this computer while the member is signed in. */
const storedSession = () => ({
  access_token: 'a.b.c',
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 3_600,
  expires_at: Date.now() / 1_000 + 3_600,
  user: { id: ME, email: 'mara@example.com', user_metadata: {} },
})

const SESSION = {
  getItem: async () =>
    useSessionStore.getState().session.status === 'signed-in' ? JSON.stringify(storedSession()) : null,
  setItem: async () => undefined,
  removeItem: async () => undefined,
  persistence: async () => 'browser' as const,
  keepAnyway: async () => undefined,
}

/** The server's error: `code` is PostgREST's or PostgreSQL's. */
export const refusal = (status: number, code: string, message: string): Response =>
  new Response(JSON.stringify({ code, message, details: null, hint: null }), {
    status,
    headers: { 'content-type': 'application/json' },
  })

function respond(answered: unknown): Response {
  if (answered instanceof Response) return answered
  const headers = { 'content-type': 'application/json', 'content-range': '0-0/*' }
  return new Response(JSON.stringify(answered), { headers })
}

const events = {
  onSocketClosed: () => undefined,
  onSlowResponse: () => undefined,
  onSessionRefused: () => undefined,
  onOthersSession: () => undefined,
  onSignedOut: () => undefined,
  onVersions: handleVersions,
}

/** supabase-js warns of a second client with the same key. */
function connectOnce(server: ServerInfo): void {
  try {
    supabase()
  } catch {
    void stopRefreshing(connectSupabase(server, SESSION, events).auth)
  }
}

/**
 * Connects the app's own Supabase client to a server in this process, until the test ends. A request without an answer
 * of the test stays pending, as on a slow server.
 * @param kind of the first server of the file, which stays connected
 */
export function fakeServer(kind: ServerInfo['kind'] = 'embedded'): FakeServer {
  const server = { ...SERVER, kind }
  const answers = new Map<Name, Answer>()
  const calls: Call[] = []
  let others: Answer | undefined
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(String(input))
    const name = `${init.method ?? 'GET'} ${pathname.split('/').at(-1)}`
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const call = { name, query: searchParams, body }
    calls.push(call)
    const answer = answers.get(name) ?? others
    return answer === undefined ? new Promise(() => undefined) : respond(await answer(call))
  })
  connectOnce(server)
  useServerInfo.setState({ server, storageKey: server.storageKey, isUnavailable: false })
  return {
    calls,
    sent: (name) => calls.filter((call) => call.name === name).map(({ body }) => body),
    on: (name, answer) => void answers.set(name, answer),
    onOthers: (answer) => {
      others = answer
    },
  }
}

/** Signs the member in. */
export function signIn(profile: Partial<typeof PROFILE> = {}): void {
  const me = { id: ME, email: 'mara@example.com', profile: { ...PROFILE, ...profile } }
  useSessionStore.setState({ session: { status: 'signed-in', me }, hold: null })
  setSessionStatus({ status: 'confirmed', member: ME })
}

export const signOut = (): void => useSessionStore.setState({ session: { status: 'signed-out' }, hold: null })

/** A member as the rows of others show them. */
export const author = (username: string) => ({
  username,
  full_name: username,
  avatar_url: null,
  avatar_path: null,
})

/** A member's row as their profile asks for it; the id is the name. */
export const memberRow = (username: string, row: object = {}) => ({
  ...{ id: username, username, full_name: username, bio: '', website: null, ...PROFILE_DEFAULTS },
  ...{ post_count: 0, follower_count: 0, following_count: 0, follows_me: [] },
  ...row,
})

/** A row of the function `people_to_follow`. */
export const suggestion = (username: string) => ({
  id: username,
  ...author(username),
  followed_by: null,
  followed_by_count: 0,
})

/** A post as a feed gets it: without a picture, of a member whose id is their name. */
export function postBy(username: string, id: string, row: object = {}) {
  return {
    id,
    user_id: username === PROFILE.username ? ME : username,
    content: `${id} by ${username}`,
    location: null,
    alt_text: null,
    thumbnail_url: null,
    image_width: null,
    image_height: null,
    like_count: 0,
    comment_count: 0,
    created_at: '2026-03-01T12:00:00Z',
    edited_at: null,
    media: [],
    author: author(username),
    my_like: [],
    my_save: [],
    ...row,
  }
}
