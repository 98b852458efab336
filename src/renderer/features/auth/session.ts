import { create } from 'zustand'
import { AppError, toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import {
  type AuthChangeEvent,
  answer,
  type Client,
  forgetSession,
  type Session,
  supabase,
  type User,
} from '#/renderer/lib/supabase'
import { createProfile, loadOwnProfile, type OwnProfile } from './profile-row'

/** The signed-in member. */
export interface Me {
  id: string
  email: string
  profile: OwnProfile
}

export type SessionState =
  /** Until the first session check has ended. */
  | { status: 'loading' }
  | { status: 'signed-out' }
  /** An account without a profile row: its username is missing, or was taken meanwhile. */
  | { status: 'needs-username'; user: User; wanted: string; isTaken: boolean }
  /** There is a session, but the server cannot be reached to tell whose. */
  | { status: 'unreachable'; user: User }
  | { status: 'signed-in'; me: Me }

interface SessionStore {
  session: SessionState
  /** Keeps /login and /signup on screen although there is a session: signup shows its success, or recovery asks for a new password. */
  hold: 'welcome' | 'recovery' | null
}

export const useSessionStore = create<SessionStore>(() => ({ session: { status: 'loading' }, hold: null }))

const set = useSessionStore.setState
const get = useSessionStore.getState

function userOf(session: SessionState): string | null {
  if (session.status === 'signed-in') return session.me.id
  return 'user' in session ? session.user.id : null
}

/** The text sign-up stored with the account under this name, or ''. It is the member's own, and never trusted. */
function metadata(user: User, key: 'username' | 'full_name'): string {
  const value: unknown = user.user_metadata[key]
  return typeof value === 'string' ? value : ''
}

function signedIn(user: User, profile: OwnProfile): void {
  set({ session: { status: 'signed-in', me: { id: user.id, email: user.email ?? '', profile } } })
}

function needUsername(user: User, wanted: string, isTaken: boolean): void {
  set({ session: { status: 'needs-username', user, wanted, isTaken }, hold: null })
}

/**
 * Reads the member's profile row, and makes it at the first sign-in from what sign-up stored with the account
 * (AUTH-08, AUTH-13). A username that was taken meanwhile leaves `needs-username`.
 */
async function enter(user: User): Promise<void> {
  const wanted = metadata(user, 'username')
  try {
    const profile = await loadOwnProfile(user.id)
    if (profile !== null) return signedIn(user, profile)
    if (wanted === '') return needUsername(user, wanted, false)
    signedIn(user, await createProfile(user.id, wanted, metadata(user, 'full_name')))
  } catch (cause) {
    const error = toAppError(cause)
    logFailure('load own profile', error)
    switch (error.code) {
      case 'conflict':
      case 'invalid':
        return needUsername(user, wanted, error.code === 'conflict')
      case 'not-found':
      case 'forbidden':
      case 'session-expired':
        // The account behind this session is gone.
        return signOut()
      default:
        return set({ session: { status: 'unreachable', user } })
    }
  }
}

function handleAuthEvent(event: AuthChangeEvent, session: Session | null): void {
  if (session === null) {
    set({ session: { status: 'signed-out' }, hold: null })
    return
  }
  const { user } = session
  if (event === 'PASSWORD_RECOVERY') set({ hold: 'recovery' })
  const current = get().session
  if (current.status === 'signed-in' && current.me.id === user.id) {
    // TOKEN_REFRESHED and a repeated SIGNED_IN (a tab that became visible) change nothing on screen.
    if (event === 'USER_UPDATED')
      set({ session: { ...current, me: { ...current.me, email: user.email ?? '' } } })
    return
  }
  if (userOf(current) === user.id && event === 'TOKEN_REFRESHED') return
  // Off the callback: supabase-js holds its session lock while it runs.
  setTimeout(() => void enter(user), 0)
}

/** Follows the client's session from now on; ends `loading` with its first event. Gives its unsubscribe. */
export function followSession(client: Client): () => void {
  const { data } = client.auth.onAuthStateChange(handleAuthEvent)
  return () => data.subscription.unsubscribe()
}

/** Tries again to read whose session this is, after `unreachable`. */
export async function retryEnter(): Promise<void> {
  const { session } = get()
  if (session.status === 'unreachable') await enter(session.user)
}

/** Gives an account without a profile its row. Throws an `AppError`; `conflict` when the username is taken. */
export async function chooseUsername(username: string): Promise<void> {
  const { session } = get()
  if (session.status !== 'needs-username') throw new AppError('session-expired', '', 'chooseUsername')
  const { user } = session
  holdWelcome()
  try {
    signedIn(user, await createProfile(user.id, username, metadata(user, 'full_name')))
  } catch (cause) {
    set({ hold: null })
    throw cause
  }
}

/** Reads the member's own profile again, after it was changed. */
export async function refreshProfile(): Promise<void> {
  const { session } = get()
  if (session.status !== 'signed-in') return
  const profile = await loadOwnProfile(session.me.id)
  if (profile !== null) set({ session: { ...session, me: { ...session.me, profile } } })
}

/** Keeps /signup on screen for its welcome, whatever the session does meanwhile. */
export function holdWelcome(): void {
  set({ hold: 'welcome' })
}

export function releaseHold(): void {
  set({ hold: null })
}

/** Ends this device's session. The stored one is gone even when the server cannot be told. */
export async function signOut(): Promise<void> {
  try {
    await answer(
      supabase()
        .auth.signOut({ scope: 'local' })
        .then(({ error }) => ({ data: null, error })),
    )
  } catch (cause) {
    logFailure('sign out', cause)
    await forgetSession()
    // What the client still holds in memory goes with the page.
    window.location.replace('/login')
  }
}
