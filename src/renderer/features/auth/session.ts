import { create } from 'zustand'
import { AppError, toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import {
  type AuthChangeEvent,
  type Client,
  forgetSession,
  onSessionRefused,
  type Session,
  storedUser,
  supabase,
  type User,
  unwrap,
} from '#/renderer/lib/supabase'
import { finishBeforeQuitting, requestsAnswered } from '#/renderer/lib/under-way'
import { createProfile, loadOwnProfile, type OwnProfile } from './profile-row'

/** The signed-in member. */
export interface Me {
  id: string
  email: string
  profile: OwnProfile
}

export type SessionState =
  /** Until the first session check has finished. */
  | { status: 'loading' }
  /** `hasFailed`: a session could not be opened, and forms that wait for it must show that. */
  | { status: 'signed-out'; hasFailed?: true }
  /** An account without a profile row: its username is missing, or was taken meanwhile. */
  | { status: 'needs-username'; user: User; wanted: string; isTaken: boolean }
  /** There is a session, but the server is unreachable. */
  | { status: 'unreachable'; user: User }
  | { status: 'signed-in'; me: Me }

interface SessionStore {
  session: SessionState
  /** Keeps /login or /signup open despite a session: to show the welcome, or to ask for a new password. */
  hold: 'welcome' | 'recovery' | null
  /** This window is ending the session on the server: the live connection stays closed meanwhile. */
  isEnding: boolean
}

export const useSessionStore = create<SessionStore>(() => ({
  session: { status: 'loading' },
  hold: null,
  isEnding: false,
}))

const set = useSessionStore.setState
const get = useSessionStore.getState

function userOf(session: SessionState): string | null {
  if (session.status === 'signed-in') return session.me.id
  return 'user' in session ? session.user.id : null
}

/** A text from the sign-up metadata, or ''. The member controls it, so never trust it. */
function metadata(user: User, key: 'username' | 'full_name'): string {
  const value: unknown = user.user_metadata[key]
  return typeof value === 'string' ? value : ''
}

function signedIn(user: User, profile: OwnProfile): SessionState {
  return { status: 'signed-in', me: { id: user.id, email: user.email ?? '', profile } }
}

/** Delays before each check for a session, in milliseconds. */
const SESSION_CHECK_DELAYS_MS = [0, 50, 100, 200, 400, 800]

/**
 * Whether the client has this user's session with a usable token. Without one the request would run as a visitor and
 * look like a deleted account. Another window's message may arrive before its stored session, so check several times;
 * the first check waits a tick, because supabase-js waits for its callbacks.
 */
async function hasSessionOf(user: User): Promise<boolean> {
  for (const wait of SESSION_CHECK_DELAYS_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const { session } = await unwrap(supabase().auth.getSession())
    if (session?.user.id === user.id) return true
  }
  return false
}

/**
 * Loads the member's profile row, and creates it at the first sign-in from the sign-up metadata (AUTH-08, AUTH-13). A
 * taken username results in `needs-username`; null means that the account was deleted.
 */
async function loadSession(user: User): Promise<SessionState | null> {
  const wanted = metadata(user, 'username')
  try {
    if (!(await hasSessionOf(user))) return { status: 'signed-out', hasFailed: true }
    const profile = await loadOwnProfile(user.id)
    if (profile !== null) return signedIn(user, profile)
    // An ended session cannot read a profile either: distinguish it from an account without one.
    await unwrap(supabase().auth.getUser())
    if (wanted === '') return { status: 'needs-username', user, wanted, isTaken: false }
    return signedIn(user, await createProfile(user.id, wanted, metadata(user, 'full_name')))
  } catch (cause) {
    const error = toAppError(cause)
    logFailure('load own profile', error)
    switch (error.code) {
      case 'conflict':
      case 'invalid':
        return { status: 'needs-username', user, wanted, isTaken: error.code === 'conflict' }
      // The account was deleted, or the session could not be renewed.
      case 'not-found':
      case 'session-expired':
        return null
      default:
        return { status: 'unreachable', user }
    }
  }
}

/**
 * The member whose profile is being loaded. supabase-js reports a stored session twice: as SIGNED_IN, then as
 * INITIAL_SESSION.
 */
let loadingFor: { userId: string } | null = null

async function enter(user: User): Promise<void> {
  if (loadingFor?.userId === user.id) return
  const current = { userId: user.id }
  loadingFor = current
  const session = await loadSession(user)
  // The member has signed out or changed meanwhile.
  if (loadingFor !== current) return
  loadingFor = null
  if (session === null) {
    await signOut()
    return leave(true)
  }
  if (session.status === 'signed-out') return leave(true)
  const { hold } = get()
  set({ session, hold: session.status === 'needs-username' && hold === 'welcome' ? null : hold })
}

function leave(hasFailed?: true): void {
  loadingFor = null
  set({ session: { status: 'signed-out', ...(hasFailed && { hasFailed }) }, hold: null })
}

/**
 * How long the app waits for the session at start before it reports the server as unreachable, in milliseconds. The
 * client retries the token for half a minute; a session that opens later is still used.
 */
const START_TIMEOUT_MS = 8_000

/** No session could be opened at start: there is none, or its token has expired and the server did not respond. */
async function startWithoutSession(): Promise<void> {
  const user = await storedUser().catch((cause: unknown) => {
    logFailure('read stored session', cause)
    return null
  })
  if (get().session.status !== 'loading') return
  if (user === null) leave()
  else set({ session: { status: 'unreachable', user } })
}

function handleAuthEvent(event: AuthChangeEvent, session: Session | null): void {
  if (session === null) {
    if (event === 'INITIAL_SESSION') void startWithoutSession()
    else leave()
    return
  }
  const { user } = session
  if (event === 'PASSWORD_RECOVERY') set({ hold: 'recovery' })
  // The new password was set, here or in another window.
  if (event === 'USER_UPDATED' && get().hold === 'recovery') releaseHold()
  const current = get().session
  if (current.status === 'signed-in' && current.me.id === user.id) {
    // TOKEN_REFRESHED and a repeated SIGNED_IN (a tab became visible) change nothing on screen.
    if (event === 'USER_UPDATED')
      set({ session: { ...current, me: { ...current.me, email: user.email ?? '' } } })
    return
  }
  if (userOf(current) === user.id && event === 'TOKEN_REFRESHED' && current.status !== 'unreachable') return
  void enter(user)
}

/** A session that cannot be renewed has ended, even if its token looks valid by this machine's clock. */
function handleRefusal(): void {
  // While a profile is being loaded, its own request reports the failure.
  if (loadingFor === null) void signOut()
}

/** Subscribes to the client's session. The first event ends `loading`. Returns an unsubscribe function. */
export function followSession(client: Client): () => void {
  const { data } = client.auth.onAuthStateChange(handleAuthEvent)
  const unfollowRefusals = onSessionRefused(handleRefusal)
  const patience = setTimeout(() => {
    // With a usable session the profile is being loaded.
    if (loadingFor === null) void startWithoutSession()
  }, START_TIMEOUT_MS)
  return () => {
    clearTimeout(patience)
    unfollowRefusals()
    data.subscription.unsubscribe()
  }
}

export function useIsSessionEnding(): boolean {
  return useSessionStore((state) => state.isEnding)
}

/** Whether it is known that nobody is signed in. */
export function isSignedOut(): boolean {
  return get().session.status === 'signed-out'
}

/** Resolves when the session state is known. */
export async function sessionKnown(): Promise<SessionState> {
  if (get().session.status !== 'loading') return get().session
  return new Promise((resolve) => {
    const stop = useSessionStore.subscribe(({ session }) => {
      if (session.status === 'loading') return
      stop()
      resolve(session)
    })
  })
}

/** Retries loading the member after `unreachable`. */
export async function retryEnter(): Promise<void> {
  const { session } = get()
  if (session.status === 'unreachable') await enter(session.user)
}

/** Creates the profile of an account without one. Throws an `AppError`; `conflict` if the username is taken. */
export async function chooseUsername(username: string): Promise<void> {
  const { session } = get()
  if (session.status !== 'needs-username') throw new AppError('session-expired', '', 'chooseUsername')
  const { user } = session
  holdWelcome()
  try {
    const profile = await createProfile(user.id, username, metadata(user, 'full_name'))
    // Ignore a response that arrives after sign-out: it would sign the member in again.
    if (get().session.status === 'needs-username' && userOf(get().session) === user.id)
      set({ session: signedIn(user, profile) })
  } catch (cause) {
    set({ hold: null })
    throw cause
  }
}

/** Checks with the server that the session still exists; if not, supabase-js signs out. Never rejects. */
export async function checkSession(): Promise<void> {
  const { error } = await supabase().auth.getUser()
  const failure = error === null ? null : toAppError(error)
  if (failure !== null && failure.code !== 'session-expired') logFailure('check session', failure)
}

let profileReads = 0

/**
 * Reloads the member's own profile after a change. Throws an `AppError`, but shows the saved values anyway.
 * @param saved the fields that the server has stored
 */
export async function refreshProfile(saved?: Pick<OwnProfile, 'id'> & Partial<OwnProfile>): Promise<void> {
  const { session } = get()
  if (session.status !== 'signed-in') return
  const { me } = session
  if (saved?.id === me.id)
    set({ session: { ...session, me: { ...me, profile: { ...me.profile, ...saved } } } })
  profileReads += 1
  const read = profileReads
  const profile = await loadOwnProfile(session.me.id)
  const current = get().session
  // A newer request is in flight, or another member is signed in.
  if (read !== profileReads || current.status !== 'signed-in' || current.me.id !== profile?.id) return
  set({ session: { ...current, me: { ...current.me, profile } } })
}

/** Keeps /signup open for its welcome, whatever happens to the session. */
export function holdWelcome(): void {
  set({ hold: 'welcome' })
}

/** Keeps /login open for a new password. */
export function holdRecovery(): void {
  set({ hold: 'recovery' })
}

export function releaseHold(): void {
  set({ hold: null })
}

/**
 * Ends this device's session, even if the server cannot be reached or the stored session cannot be removed. Never
 * rejects.
 */
export function signOut(): Promise<void> {
  return finishBeforeQuitting(whileEnding(endSession))
}

/**
 * Runs an action that ends this session on the server, after the pending requests. The live connection closes first,
 * because the server would refuse its channel, and reopens if the session still exists.
 */
export async function whileEnding<T>(work: () => Promise<T>): Promise<T> {
  set({ isEnding: true })
  try {
    await requestsAnswered()
    return await work()
  } finally {
    set({ isEnding: false })
  }
}

async function endSession(): Promise<void> {
  const leaving = userOf(get().session)
  try {
    await unwrap(
      supabase()
        .auth.signOut({ scope: 'local' })
        .then(({ error }) => ({ data: null, error })),
    )
  } catch (cause) {
    logFailure('sign out', cause)
    try {
      // The refusal may arrive late, when another member has signed in.
      const stored = await storedUser()
      if (stored !== null && stored.id !== leaving) return
      await forgetSession()
    } catch (failure) {
      logFailure('remove stored session', failure)
    }
    leave()
  }
}
