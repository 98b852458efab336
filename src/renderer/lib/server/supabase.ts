import type { RealtimeClientOptions } from '@supabase/realtime-js'
import {
  type AuthChangeEvent,
  AuthClient,
  createClient,
  type RealtimeChannel,
  type Session,
  type SupabaseClient,
  type User,
} from '@supabase/supabase-js'
import { create } from 'zustand'
import { AppError, isOverQuota, isOverVideoQuota, toAppError } from '#/renderer/lib/core/errors'
import { trackedFetch } from '#/renderer/lib/core/pending-work-store'
import { showToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'
import type { DesktopBridge } from '#/shared/bridge'
import type { Database } from '#/shared/database.types'
import { hasMoreValues } from '#/shared/json-values'
import { type ServerInfo, sessionKey } from '#/shared/server'
import type { Mismatch } from '#/shared/version-fit'
import { checkedAnswer, expectedOf } from './checks/checked-answer'
import { checkedAuthFetch } from './checks/checked-auth'
import { toCount } from './checks/checked-values'
// Not from the folder's index: that would load the whole picture pipeline.
import { replaceUnsafe } from './checks/stored-pictures'
import { READING_FUNCTIONS } from './reading-functions'
import { RealtimeClient as RealtimeLater } from './realtime-later'
import { authFetch } from './session/auth-fetch'
import { type MemberStorage, memberStorage } from './session/member-storage'
import { renewingFetch, type TokenSource } from './session/renewing-fetch'
import { pageOwner } from './session/session-status-store'
import type { UsableSession } from './session/stored-session'
import { settlingFetch, withWaitingCounts } from './settling'
import { timedFetch } from './timed-fetch'
import { createVersionQuestion } from './version-question'

export type { AuthChangeEvent, RealtimeChannel, Session, UsableSession, User }
export type Client = SupabaseClient<Database>

/** The maximum delay of a timer, in milliseconds. */
const NEVER_MS = 2 ** 31 - 1

/** What the client reports to the rest of the app. */
export interface ClientEvents {
  /** The realtime socket closed unexpectedly or failed to open. */
  onSocketClosed: () => void
  /** A response is so slow that the connection may be lost. */
  onSlowResponse: () => void
  /** The server rejects the session's token and refuses to renew it. */
  onSessionRefused: () => void
  /** The stored session is of another member than this page's. */
  onOthersSession: () => void
  /** Another window has ended this member's session. */
  onSignedOut: (member: string) => void
  /** The server has said whether it and this app fit. */
  onVersions: (mismatch: Mismatch | null) => void
}

interface Connected {
  client: Client
  server: ServerInfo
  send: typeof fetch
  /** Also passes on what `authFetch` rejects. */
  sendUnfiltered: typeof fetch
  askVersions: () => Promise<void>
}

interface SessionStore {
  storage: MemberStorage
  storageKey: string
  /** To and from the other windows: the id of the member whose session a window has ended. */
  signOuts: BroadcastChannel
}

/** The session is known before the client: the embedded server takes a moment to start. */
const useConnected = create<{ connected: Connected | null; session: SessionStore | null }>(() => ({
  connected: null,
  session: null,
}))

function sessionStore(): SessionStore {
  const { session } = useConnected.getState()
  if (session === null) throw new Error('no server')
  return session
}

/**
 * Opens the channel of this server's sign-outs, or takes the open one. supabase-js reports only the sessions that it removes itself, and
 * only once it has a client.
 */
function signOutChannel(storageKey: string, onSignedOut: (member: string) => void): BroadcastChannel {
  const name = `${storageKey} sign-outs`
  const open = useConnected.getState().session?.signOuts
  if (open?.name !== name) open?.close()
  const channel = open?.name === name ? open : new BroadcastChannel(name)
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (typeof data === 'string') onSignedOut(data)
  }
  return channel
}

/** Names the server whose session the functions below read and remove. */
export function selectSession(
  server: Pick<ServerInfo, 'storageKey'>,
  storage: DesktopBridge['session'],
  onSignedOut: ClientEvents['onSignedOut'],
): void {
  const storageKey = sessionKey(server)
  useConnected.setState({
    session: {
      // Nobody has been signed in here yet.
      storage: memberStorage(storage, storageKey, () => undefined),
      storageKey,
      signOuts: signOutChannel(storageKey, onSignedOut),
    },
  })
}

/** Whether this page is a member's: without their session, its requests are not a visitor's. */
function isMembers(): boolean {
  return pageOwner.getState().owner !== null
}

/** Refuses requests that a member's page would send as a visitor, because its member has signed out. Those of Auth need no session. */
function memberFetch(send: typeof fetch, visitorsToken: string): typeof fetch {
  return async (input, init) => {
    const isVisitors = new Headers(init?.headers).get('Authorization') === `Bearer ${visitorsToken}`
    const isAuth = (input instanceof Request ? input.url : String(input)).includes('/auth/v1/')
    if (!isMembers() || !isVisitors || isAuth) return send(input, init)
    return Response.json({ code: 'PGRST301', message: 'the member has signed out' }, { status: 401 })
  }
}

function sessionTokens(visitorsToken: string, onRefused: () => void): TokenSource {
  return {
    current: async () => (await unwrap(supabase().auth.getSession())).session?.access_token ?? null,
    renew: async () => {
      const { data, error } = await supabase().auth.refreshSession()
      if (data.session !== null) return data.session.access_token
      const failure = toAppError(error)
      if (failure.code !== 'session-expired') throw failure
      onRefused()
      return null
    },
    isUnrenewed: async (token) =>
      token === visitorsToken && (await sessionStore().storage.session()) !== null,
  }
}

/** Creates the app's only Supabase client. The host stores the session under a key of this server. */
export function connectSupabase(
  server: ServerInfo,
  sessions: DesktopBridge['session'],
  {
    onSocketClosed,
    onSlowResponse,
    onSessionRefused,
    onOthersSession,
    onSignedOut,
    onVersions,
  }: ClientEvents,
): Client {
  const storageKey = sessionKey(server)
  const storage = memberStorage(sessions, storageKey, onOthersSession)
  const timed = timedFetch(onSlowResponse)
  // The embedded server is of this build.
  const versions = server.kind === 'embedded' ? null : createVersionQuestion(timed, server, onVersions)
  const sendUnfiltered = trackedFetch(checkedAuthFetch(versions?.send ?? timed))
  const send = renewingFetch(
    memberFetch(authFetch(sendUnfiltered), server.publishableKey),
    sessionTokens(server.publishableKey, onSessionRefused),
  )
  const settle = async () => {
    const again = await unwrap(client.rpc('settle'))
    return again === null ? null : toCount(again)
  }
  const client: Client = createClient<Database>(server.url, server.publishableKey, {
    auth: {
      storage,
      storageKey,
      persistSession: true,
      autoRefreshToken: true,
      detectSessionInUrl: false,
      // Members type the codes from mails; no link returns to the app, so a PKCE verifier would stay in the store
      // unused.
      flowType: 'implicit',
    },
    // Only the query client retries reads: it knows whether the data is still needed.
    db: { retry: false },
    realtime: {
      // Browsers throttle the timers of hidden pages, which would delay the heartbeat.
      worker: true,
      // Called after the socket closed or failed to open. lib/live alone decides when to reconnect.
      reconnectAfterMs: () => {
        onSocketClosed()
        return NEVER_MS
      },
    },
    // On the embedded server nothing waits: its transactions follow each other.
    global: { fetch: server.kind === 'embedded' ? send : settlingFetch(send, settle) },
  })
  const rpc = client.rpc.bind(client)
  client.rpc = (name, args, options) => rpc(name, args, { get: READING_FUNCTIONS.has(name), ...options })
  useConnected.setState({
    connected: {
      client,
      server,
      send,
      sendUnfiltered,
      askVersions: versions?.ask ?? (async () => undefined),
    },
    session: { storage, storageKey, signOuts: signOutChannel(storageKey, onSignedOut) },
  })
  return client
}

/** Throws an `AppError` while the server is not known yet: for the member it is unreachable. */
function connected(): Connected {
  const current = useConnected.getState().connected
  if (current === null) throw new AppError('offline', '', 'not connected yet')
  return current
}

/** The client of the current server. Throws an `AppError` while no server is known. */
export function supabase(): Client {
  return connected().client
}

/** The same columns, whose counters are right on a server with many writers. Throws an `AppError` while no server is known. */
export function shownCounts<Columns extends string>(columns: Columns): Columns {
  return withWaitingCounts(columns, connected().server.url)
}

/** Address and headers of a request to the server's Storage, as the signed-in member. */
export async function storageRequest(
  path: string,
): Promise<{ url: string; headers: Record<string, string> }> {
  const { client, server } = connected()
  const { session } = await unwrap(client.auth.getSession())
  if (session === null && isMembers()) throw new AppError('session-expired', '', 'the member has signed out')
  const token = session?.access_token ?? server.publishableKey
  return {
    url: `${server.url}/storage/v1${path}`,
    headers: { apikey: server.publishableKey, Authorization: `Bearer ${token}` },
  }
}

/** The `fetch` of the client: with a timeout, and an expired token is renewed. */
export function clientFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  return connected().send(...request)
}

/** Asks the server whether it and this app fit, unless it is the embedded one. Never rejects once a server is known. */
export async function askVersions(): Promise<void> {
  await connected().askVersions()
}

/**
 * A client of the server's Auth that stores nothing, for tokens that are not of the stored session.
 * @param init options of its requests
 */
export function unstoredAuth(init: RequestInit = {}): InstanceType<typeof AuthClient> {
  const { server, sendUnfiltered } = connected()
  return new AuthClient({
    url: `${server.url}/auth/v1`,
    headers: { apikey: server.publishableKey },
    // supabase-js warns of two clients with the same key.
    storageKey: `unstored ${crypto.randomUUID()}`,
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    fetch: (input, given) => sendUnfiltered(input, { ...given, ...init }),
  })
}

/** Loads the realtime client. `supabase().realtime` and its channels do not work before. */
export async function loadRealtime(): Promise<void> {
  const { RealtimeClient } = await import('@supabase/realtime-js')
  const target = supabase()
  const { realtime } = target
  if (!(realtime instanceof RealtimeLater)) return
  const decode: RealtimeClientOptions['decode'] = (frame, callback) => {
    const size = typeof frame === 'string' ? frame.length : frame.byteLength
    if (size > FRAME_MAX) return
    const bytes = typeof frame === 'string' ? new TextEncoder().encode(frame) : new Uint8Array(frame)
    if (hasMoreValues(bytes, FRAME_VALUES_MAX)) return
    client.serializer.decode(frame, (message: Parameters<typeof callback>[0]) => {
      if (!message.event.startsWith('presence')) return callback(message)
      const channel = client.getChannels().find(({ topic }) => topic === message.topic)
      if (size > PRESENCE_MAX || channel === undefined || !channel.topic.startsWith(PRESENCE_TOPIC)) return
      // Each one that joins is compared with all who are there.
      if (Object.values(channel.presenceState()).flat().length <= PRESENT_MAX) callback(message)
    })
  }
  const client = new RealtimeClient(realtime.url, { ...realtime.options, decode })
  target.realtime = client
}

/** Larger messages of the live connection are ignored, and those of more values; those of the database have a few kilobytes. */
const FRAME_MAX = 1_000_000
const FRAME_VALUES_MAX = 20_000

/** Where others are present. */
const PRESENCE_TOPIC = 'realtime:room:'
/** Characters of a message about who is present, and how many may be. A conversation has its members' windows. */
const [PRESENCE_MAX, PRESENT_MAX] = [20_000, 500]

/**
 * Removes this member's stored session without a request, because the server may be unreachable, or no longer know the session, and tells
 * the other windows.
 */
export async function forgetSession(member: string | null): Promise<void> {
  const { storage, storageKey, signOuts } = sessionStore()
  try {
    for (const suffix of ['', '-code-verifier', '-user']) await storage.removeItem(storageKey + suffix)
  } finally {
    if (member !== null) signOuts.postMessage(member)
  }
}

/** The stored session, even an expired one; null if there is none. Works offline. */
export function storedSession(): Promise<UsableSession | null> {
  return sessionStore().storage.session()
}

/** The member of the stored session. */
export async function storedUser(): Promise<User | null> {
  return (await storedSession())?.user ?? null
}

interface Result {
  data: unknown
  error: unknown
  /** Of answers of tables and functions. */
  status?: number
  count?: number | null
}

type DataOf<R extends Result> = Extract<R, { error: null }>['data']

async function settled<R extends Result>(request: PromiseLike<R>): Promise<R> {
  let result: R
  try {
    result = await request
  } catch (cause) {
    throw toAppError(cause)
  }
  // Shown here for all writes: each write keeps the member's text, and the toast says why it failed.
  if (isOverQuota(result.error))
    showToast({ text: isOverVideoQuota(result.error) ? texts.tooManyVideos : texts.tooFast })
  // supabase-js takes the text 'null' of a response with a 5xx for success.
  if (result.error !== null || (result.status ?? 200) >= 400) throw toAppError(result.error, result.status)
  if (result.status === undefined) return result
  const expected = expectedOf(request)
  if (expected === null) throw new Error('not a request to a table or function')
  const { answer, media } = checkedAnswer(result.data, expected)
  await replaceUnsafe(media)
  return { ...result, data: answer }
}

/**
 * Awaits a supabase-js request and returns its data; an answer of a table or function as `checkedAnswer`, without pictures that are unsafe
 * to decode. Accounts and objects of Storage are checked elsewhere. Throws its error, and one for an answer of another form, as an
 * `AppError`.
 */
export async function unwrap<R extends Result>(request: PromiseLike<R>): Promise<DataOf<R>> {
  return (await settled(request)).data
}

/** As `unwrap`, with the number of all rows that the request matches; null if it does not ask for it. */
export async function unwrapWithCount<R extends Result>(
  request: PromiseLike<R>,
): Promise<{ rows: DataOf<R>; count: number | null }> {
  const { data, count = null } = await settled(request)
  return { rows: data, count: count === null ? null : toCount(count) }
}
