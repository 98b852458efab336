import {
  type AuthChangeEvent,
  createClient,
  type RealtimeChannel,
  type Session,
  type SupabaseClient,
  type User,
} from '@supabase/supabase-js'
import type { DesktopBridge } from '#/shared/bridge'
import type { Database } from '#/shared/database.types'
import { type ServerInfo, sessionKey } from '#/shared/server'
import { isOverQuota, toAppError } from './errors'
// Not by the folder's index: that would load all that makes pictures smaller.
import { withSafePictures } from './media/stored-pictures'
import { RealtimeClient as RealtimeLater } from './realtime-later'
import { renewingFetch, type TokenSource } from './renewing-fetch'
import { texts } from './texts'
import { timedFetch } from './timed-fetch'
import { showToast } from './toasts'
import { trackedFetch } from './under-way'

export type { AuthChangeEvent, RealtimeChannel, Session, User }
export type Client = SupabaseClient<Database>

/** The longest a timer can wait, in milliseconds. */
const NEVER_MS = 2 ** 31 - 1

let client: Client | null = null
let handleSocketClosed = (): void => undefined
let handleSlowAnswer = (): void => undefined
let handleSessionRefused = (): void => undefined
let forget: () => Promise<void> = async () => undefined
let readStored: () => Promise<string | null> = async () => null

const sessionTokens: TokenSource = {
  current: async () => (await unwrap(supabase().auth.getSession())).session?.access_token ?? null,
  renew: async () => {
    const { data, error } = await supabase().auth.refreshSession()
    if (data.session !== null) return data.session.access_token
    const failure = toAppError(error)
    if (['offline', 'server', 'rate-limited'].includes(failure.code)) throw failure
    handleSessionRefused()
    return null
  },
}

/** Opens the one door to the server. The session is kept by the host, under the server's own key. */
export function connectSupabase(server: ServerInfo, storage: DesktopBridge['session']): Client {
  const storageKey = sessionKey(server)
  forget = async () => {
    for (const suffix of ['', '-code-verifier', '-user']) await storage.removeItem(storageKey + suffix)
  }
  readStored = async () => storage.getItem(storageKey)
  client = createClient<Database>(server.url, server.publishableKey, {
    auth: {
      storage: {
        getItem: (key) => storage.getItem(key),
        setItem: (key, value) => storage.setItem(key, value),
        removeItem: (key) => storage.removeItem(key),
      },
      storageKey,
      persistSession: true,
      autoRefreshToken: true,
      detectSessionInUrl: false,
      // Codes from mails are typed in and no link leads back: a PKCE verifier would only be left behind in the store.
      flowType: 'implicit',
    },
    // Reads are tried again by the query client alone, which knows what is still wanted.
    db: { retry: false },
    realtime: {
      // A timer of the page is slowed down while it is hidden; the heartbeat must not be.
      worker: true,
      // Asked whenever the socket has closed or did not open. lib/live alone decides when to try again.
      reconnectAfterMs: () => {
        handleSocketClosed()
        return NEVER_MS
      },
    },
    global: {
      fetch: renewingFetch(trackedFetch(timedFetch(() => handleSlowAnswer())), sessionTokens),
    },
  })
  return client
}

/** The client of the server in use. */
export function supabase(): Client {
  if (client === null) throw new Error('supabase() before connectSupabase()')
  return client
}

/** Loads what speaks to the server live; `supabase().realtime` and its channels are of no use before. */
export async function loadRealtime(): Promise<void> {
  const { RealtimeClient } = await import('@supabase/realtime-js')
  const target = supabase()
  const { realtime } = target
  if (realtime instanceof RealtimeLater) target.realtime = new RealtimeClient(realtime.url, realtime.options)
}

/** Calls back when the realtime socket has closed unasked, or could not be opened. One listener; gives its unsubscribe. */
export function onSocketClosed(listener: () => void): () => void {
  handleSocketClosed = listener
  return () => {
    handleSocketClosed = () => undefined
  }
}

/** Calls back when an answer takes so long that the connection may be gone. One listener; gives its unsubscribe. */
export function onSlowAnswer(listener: () => void): () => void {
  handleSlowAnswer = listener
  return () => {
    handleSlowAnswer = () => undefined
  }
}

/** Calls back when the server takes neither the session's token nor renews it. One listener; gives its unsubscribe. */
export function onSessionRefused(listener: () => void): () => void {
  handleSessionRefused = listener
  return () => {
    handleSessionRefused = () => undefined
  }
}

/** Removes the stored session without asking the server, which cannot be reached or knows it no more. */
export function forgetSession(): Promise<void> {
  return forget()
}

/** Whose session is stored, whatever its age; null for none. For when no server can be asked. */
export async function storedUser(): Promise<User | null> {
  const text = await readStored()
  if (text === null) return null
  try {
    const stored: Partial<Session> | null = JSON.parse(text)
    return stored?.user ?? null
  } catch {
    return null
  }
}

/** Unwraps an answer of supabase-js: its data without pictures that are not to be decoded, or its error thrown as `AppError`. */
export async function unwrap<R extends { data: unknown; error: unknown; status?: number }>(
  request: PromiseLike<R>,
): Promise<Extract<R, { error: null }>['data']> {
  let result: R
  try {
    result = await request
  } catch (cause) {
    throw toAppError(cause)
  }
  // Here and not where each write is made: what was written stays where it is, and the member learns why.
  if (isOverQuota(result.error)) showToast({ text: texts.tooFast })
  if (result.error !== null) throw toAppError(result.error, result.status)
  return withSafePictures(result.data)
}
