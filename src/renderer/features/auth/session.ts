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
  /** Until the first session check has ended. */
  | { status: 'loading' }
  /** `hasFailed`: a session was about to open, and could not; whoever waits for it has to be told. */
  | { status: 'signed-out'; hasFailed?: true }
  /** An account without a profile row: its username is missing, or was taken meanwhile. */
  | { status: 'needs-username'; user: User; wanted: string; isTaken: boolean }
  /** There is a session, but the server cannot be reached to tell whose. */
  | { status: 'unreachable'; user: User }
  | { status: 'signed-in'; me: Me }

interface SessionStore {
  session: SessionState
  /** Keeps /login and /signup on screen although there is a session: signup shows its success, or recovery asks for a new password. */
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

/** The text sign-up stored with the account under this name, or ''. It is the member's own, and never trusted. */
function metadata(user: User, key: 'username' | 'full_name'): string {
  const value: unknown = user.user_metadata[key]
  return typeof value === 'string' ? value : ''
}

function signedIn(user: User, profile: OwnProfile): SessionState {
  return { status: 'signed-in', me: { id: user.id, email: user.email ?? '', profile } }
}

/** How long to wait for a session before each look at it, in milliseconds. */
const ARRIVAL_MS = [0, 50, 100, 200, 400, 800]

/**
 * Whether the client has this user's session, with a token that can be used. Without one it would ask as a visitor,
 * and the refusal would look like a deleted account. Another window's message may come before what it stored, hence
 * more than one look; the first is off supabase-js's callback, which waits for what it calls.
 */
async function hasSessionOf(user: User): Promise<boolean> {
  for (const wait of ARRIVAL_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const { session } = await unwrap(supabase().auth.getSession())
    if (session?.user.id === user.id) return true
  }
  return false
}

/**
 * Reads the member's profile row, and makes it at the first sign-in from what sign-up stored with the account
 * (AUTH-08, AUTH-13). A username that was taken meanwhile gives `needs-username`; null says that the account is gone.
 */
async function sessionOf(user: User): Promise<SessionState | null> {
  const wanted = metadata(user, 'username')
  try {
    if (!(await hasSessionOf(user))) return { status: 'signed-out', hasFailed: true }
    const profile = await loadOwnProfile(user.id)
    if (profile !== null) return signedIn(user, profile)
    // An ended session reads no profile either: tell it from an account without one.
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
      // The account is gone, or the session could not be renewed either.
      case 'not-found':
      case 'session-expired':
        return null
      default:
        return { status: 'unreachable', user }
    }
  }
}

/** Whose profile is being read. A session found at start is told twice: as SIGNED_IN, then as INITIAL_SESSION. */
let entering: { userId: string } | null = null

async function enter(user: User): Promise<void> {
  if (entering?.userId === user.id) return
  const mine = { userId: user.id }
  entering = mine
  const session = await sessionOf(user)
  // Signed out meanwhile, or signed in as somebody else.
  if (entering !== mine) return
  entering = null
  if (session === null) {
    await signOut()
    return leave(true)
  }
  if (session.status === 'signed-out') return leave(true)
  const { hold } = get()
  set({ session, hold: session.status === 'needs-username' && hold === 'welcome' ? null : hold })
}

function leave(hasFailed?: true): void {
  entering = null
  set({ session: { status: 'signed-out', ...(hasFailed && { hasFailed }) }, hold: null })
}

/**
 * How long a session may take to open at start before that is said, in milliseconds. The client asks for a new token
 * for half a minute; should it get one after all, that session is entered then.
 */
const PATIENCE_MS = 8_000

/** No session could be opened at start: there is none, or its token is too old and the server did not answer. */
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
  // The new password is set, here or in another window.
  if (event === 'USER_UPDATED' && get().hold === 'recovery') releaseHold()
  const current = get().session
  if (current.status === 'signed-in' && current.me.id === user.id) {
    // TOKEN_REFRESHED and a repeated SIGNED_IN (a tab that became visible) change nothing on screen.
    if (event === 'USER_UPDATED')
      set({ session: { ...current, me: { ...current.me, email: user.email ?? '' } } })
    return
  }
  if (userOf(current) === user.id && event === 'TOKEN_REFRESHED' && current.status !== 'unreachable') return
  void enter(user)
}

/** A session that could not be renewed has ended, whatever this machine's clock says of its token. */
function handleRefusal(): void {
  // Whoever is being let in learns it from what was asked for them.
  if (entering === null) void signOut()
}

/** Follows the client's session from now on; ends `loading` with its first event. Gives its unsubscribe. */
export function followSession(client: Client): () => void {
  const { data } = client.auth.onAuthStateChange(handleAuthEvent)
  const unfollowRefusals = onSessionRefused(handleRefusal)
  const patience = setTimeout(() => {
    // With a usable session its profile is being read: that ends by itself.
    if (entering === null) void startWithoutSession()
  }, PATIENCE_MS)
  return () => {
    clearTimeout(patience)
    unfollowRefusals()
    data.subscription.unsubscribe()
  }
}

/** Whether this window is ending its session on the server. */
export function useIsSessionEnding(): boolean {
  return useSessionStore((state) => state.isEnding)
}

/** Whether nobody is signed in here, and that is known. */
export function isSignedOut(): boolean {
  return get().session.status === 'signed-out'
}

/** Resolves once it is known who is signed in. */
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
 * Reads the member's own profile again, after it was changed. Throws an `AppError`; what was saved shows all the same.
 * @param saved what the server has stored of it.
 */
export async function refreshProfile(saved?: Pick<OwnProfile, 'id'> & Partial<OwnProfile>): Promise<void> {
  const { session } = get()
  if (session.status !== 'signed-in') return
  const { me } = session
  if (saved?.id === me.id)
    set({ session: { ...session, me: { ...me, profile: { ...me.profile, ...saved } } } })
  profileReads += 1
  const mine = profileReads
  const profile = await loadOwnProfile(session.me.id)
  const current = get().session
  // A newer reading is under way, or somebody else is signed in by now.
  if (mine !== profileReads || current.status !== 'signed-in' || current.me.id !== profile?.id) return
  set({ session: { ...current, me: { ...current.me, profile } } })
}

/** Keeps /signup on screen for its welcome, whatever the session does meanwhile. */
export function holdWelcome(): void {
  set({ hold: 'welcome' })
}

/** Keeps /login on screen for a new password. */
export function holdRecovery(): void {
  set({ hold: 'recovery' })
}

export function releaseHold(): void {
  set({ hold: null })
}

/**
 * Ends this device's session. The stored one is gone even when the server cannot be told, and the member is signed out
 * even when it cannot be removed. Never rejects.
 */
export function signOut(): Promise<void> {
  return finishBeforeQuitting(whileEnding(endSession))
}

/**
 * Runs work that ends this session on the server, after the requests under way. The live connection closes first and
 * reopens if the session outlives the work: the server would refuse its channel, which looks like a failure.
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
      // The refusal may come late, when somebody else has signed in.
      const stored = await storedUser()
      if (stored !== null && stored.id !== leaving) return
      await forgetSession()
    } catch (failure) {
      logFailure('remove stored session', failure)
    }
    leave()
  }
}
