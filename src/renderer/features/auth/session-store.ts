import { create } from 'zustand'
import { AppError, toAppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { requestsAnswered, waitUntil } from '#/renderer/lib/core/pending-work-store'
import { wait } from '#/renderer/lib/core/schedule'
import { forgetDeviceSession } from '#/renderer/lib/device/stored-device'
import { pageOwner, setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import {
  type AuthChangeEvent,
  type Client,
  forgetSession,
  type Session as SupabaseSession,
  storedSession,
  storedUser,
  type UsableSession,
  type User,
} from '#/renderer/lib/server/supabase'
import { rememberLostRecovery } from './lost-recovery'
import { createProfile, revokeSession } from './mutations'
import { hasSessionOf, loadOwnProfile, type OwnProfile, verifySession } from './queries'
import {
  INITIAL,
  isRestored,
  type Me,
  type Opened,
  type ProfilePatch,
  reduce,
  type Session,
  type SessionEvent,
  type SessionState,
  signedIn,
  userIdOf,
} from './session'

export const useSessionStore = create<SessionState>(() => INITIAL)

const get = useSessionStore.getState
useSessionStore.subscribe(({ owner }) => pageOwner.setState({ owner }))

/** Applies the event, and opens the session that the new state asks for. Resolves when that has finished. */
async function dispatch(event: SessionEvent): Promise<void> {
  const before = get()
  useSessionStore.setState(reduce(before, event), true)
  const { opening, session, isEnding } = get()
  if (before.hold === 'recovery' && session.status === 'left' && !isEnding) rememberLostRecovery()
  if (session.status !== 'signed-in') setSessionStatus({ status: 'ended', member: null })
  else setSessionStatus({ status: isRestored(session) ? 'restored' : 'confirmed', member: session.me.id })
  if (opening === null || opening === before.opening) return
  const result = await openSession(opening.user)
  if (get().opening !== opening) return
  await dispatch({ type: 'opened', opening, result })
  if (result.status !== 'ended') return
  await endSessionOf(opening.user.id)
  await dispatch({ type: 'signed-out', hasFailed: true })
}

/** A text from the sign-up metadata, or ''. The member controls it, so never trust it. */
function metadata(user: User, key: 'username' | 'full_name'): string {
  const value: unknown = user.user_metadata[key]
  return typeof value === 'string' ? value : ''
}

/**
 * Loads the member's profile row, and creates it at the first sign-in from the sign-up metadata (AUTH-08, AUTH-13). A
 * taken username results in `needs-username`.
 */
async function openSession(user: User): Promise<Opened> {
  const wanted = metadata(user, 'username')
  try {
    if (!(await hasSessionOf(user))) return { status: 'missing' }
    const profile = await loadOwnProfile(user.id)
    if (profile !== null) return signedIn(user, profile)
    // An ended session cannot read a profile either: distinguish it from an account without one.
    await verifySession()
    if (wanted === '') return { status: 'needs-username', user, wanted, isTaken: false }
    return signedIn(user, await createProfile(user.id, wanted, metadata(user, 'full_name')))
  } catch (cause) {
    const error = toAppError(cause)
    logFailure('load own profile', error)
    switch (error.code) {
      case 'conflict':
      case 'invalid':
        return { status: 'needs-username', user, wanted, isTaken: error.code === 'conflict' }
      case 'not-found':
      case 'session-expired':
        return { status: 'ended' }
      default:
        return { status: 'unreachable', user }
    }
  }
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
  void dispatch({ type: 'start-failed', user })
}

function handleAuthEvent(event: AuthChangeEvent, session: SupabaseSession | null): void {
  if (session !== null) void dispatch({ type: 'session-changed', event, user: session.user })
  else if (event === 'INITIAL_SESSION') void startWithoutSession()
  else void dispatch({ type: 'signed-out' })
}

/**
 * For the client: the server refuses to renew the session's token, so the session has ended, even if the token looks
 * valid by this machine's clock.
 */
export function endRefusedSession(): void {
  // While a profile is being loaded, its own request reports the failure.
  if (get().opening === null) void endSessionOf(userIdOf(get().session))
}

/** Subscribes to the client's session. The first event ends `loading`. Returns an unsubscribe function. */
export function followSession(client: Client): () => void {
  const { data } = client.auth.onAuthStateChange(handleAuthEvent)
  const timer = setTimeout(() => {
    // With a usable session the profile is being loaded.
    if (get().opening === null) void startWithoutSession()
  }, START_TIMEOUT_MS)
  return () => {
    clearTimeout(timer)
    data.subscription.unsubscribe()
  }
}

/** The signed-in member. Only use it below `RequireMember`. */
export function useMe(): Me {
  const session = useSessionStore((state) => state.session)
  if (session.status !== 'signed-in') throw new Error('useMe outside a guarded route')
  return session.me
}

/** The id of the member who is signed in, also while the server cannot be reached; null if nobody is. */
export function useMemberId(): string | null {
  return useSessionStore(({ session }) => userIdOf(session))
}

/**
 * The state of a sign-in that the server accepted. `isOpening`: its session is being opened; `hasFailed`: it could not be
 * opened.
 */
export function useSignInState(): { isOpening: boolean; hasFailed: boolean } {
  const isOpening = useSessionStore(({ opening, isEnding }) => opening !== null || isEnding)
  const hasFailed = useSessionStore(
    ({ session }) => session.status === 'signed-out' && session.hasFailed === true,
  )
  return { isOpening, hasFailed }
}

export function useIsSessionEnding(): boolean {
  return useSessionStore((state) => state.isEnding)
}

/** Resolves when the session state is known. */
export async function sessionKnown(): Promise<Session> {
  if (get().session.status !== 'loading') return get().session
  return new Promise((resolve) => {
    const stop = useSessionStore.subscribe(({ session }) => {
      if (session.status === 'loading') return
      stop()
      resolve(session)
    })
  })
}

/** Shows a member whose stored session and profile are on this device, until the server has confirmed the session. */
export function restoreSession(user: User, profile: OwnProfile): void {
  void dispatch({ type: 'restored', user, profile })
}

/** Whether the server has confirmed the session; `unreachable` after a failed attempt. */
export function useConfirmation(): 'confirmed' | 'checking' | 'unreachable' {
  return useSessionStore(({ session }) => {
    if (!isRestored(session)) return 'confirmed'
    return session.restored.isUnreachable ? 'unreachable' : 'checking'
  })
}

/** The server that a restored session belongs to could not be found. */
export function failRestored(): void {
  const { session } = get()
  if (isRestored(session)) void dispatch({ type: 'start-failed', user: session.restored.user })
}

/**
 * Calls back as soon as it is known that nobody is signed in, or that the page's member is not; with whether somebody was signed in until
 * then, also while the server could not be reached.
 */
export function onSignedOut(listener: (wasMember: boolean) => void): () => void {
  const isOut = ({ session: { status } }: SessionState) => status === 'signed-out' || status === 'left'
  return useSessionStore.subscribe((state, before) => {
    if (isOut(state) && !isOut(before)) listener(userIdOf(before.session) !== null)
  })
}

/**
 * Resolves when the sign-out has ended: with true if the page was a member's and must be reloaded. Its requests are refused until then
 * (lib/server/session/member-storage.ts).
 */
export async function pageOver(): Promise<boolean> {
  // A session that ended by itself is removed after its member has left the screen.
  await wait()
  if (get().session.status !== 'left') return false
  if (!get().isEnding) return true
  return new Promise((resolve) => {
    const stop = useSessionStore.subscribe(({ isEnding }) => {
      if (isEnding) return
      stop()
      resolve(true)
    })
  })
}

/** The stored session is not of the page's member. */
export function leavePage(): void {
  void dispatch({ type: 'signed-out' })
}

/** Another window has ended this member's session. */
export function followSignOut(member: string): void {
  if (get().owner === member || memberToLeave() === member) leavePage()
}

/** Who is signed in, or being signed in. */
function memberToLeave(): string | null {
  const { session, opening } = get()
  return userIdOf(session) ?? opening?.user.id ?? null
}

/** Retries loading the member after `unreachable`. */
export function retryEnter(): Promise<void> {
  return dispatch({ type: 'retried' })
}

/** Creates the profile of an account without one. Throws an `AppError`; `conflict` if the username is taken. */
export async function chooseUsername(username: string): Promise<void> {
  const { session } = get()
  if (session.status !== 'needs-username') throw new AppError('session-expired', '', 'chooseUsername')
  const { user } = session
  holdWelcome()
  try {
    const profile = await createProfile(user.id, username, metadata(user, 'full_name'))
    void dispatch({ type: 'profile-created', user, profile })
  } catch (cause) {
    releaseHold()
    throw cause
  }
}

/** Checks with the server that the session still exists; if not, supabase-js signs out. Never rejects. */
export async function checkSession(): Promise<void> {
  try {
    await verifySession()
  } catch (cause) {
    if (toAppError(cause).code !== 'session-expired') logFailure('check session', cause)
  }
}

/**
 * Reloads the member's own profile after a change. Throws an `AppError`, but shows the saved values anyway.
 * @param saved the fields that the server has stored
 */
export async function refreshProfile(saved?: ProfilePatch): Promise<void> {
  const { session } = get()
  if (session.status !== 'signed-in') return
  void dispatch({ type: 'refresh-started', saved })
  const { refreshes } = get()
  const profile = await loadOwnProfile(session.me.id)
  void dispatch({ type: 'refreshed', refresh: refreshes, profile })
}

/** Keeps /signup open for its welcome, whatever happens to the session. */
export function holdWelcome(): void {
  void dispatch({ type: 'held', hold: 'welcome' })
}

/** Keeps /login open for a new password. */
export function holdRecovery(member: string): void {
  void dispatch({ type: 'recovering', member })
}

export function releaseHold(): void {
  void dispatch({ type: 'held', hold: null })
}

/**
 * The member ends this device's session, even if the server cannot be reached or the stored session cannot be removed. Never
 * rejects.
 */
export function signOut(): Promise<void> {
  forgetDeviceSession()
  return endSessionOf(memberToLeave(), revokeInTime)
}

/** @param revoke ends the session on the server, unless it has ended there */
function endSessionOf(
  leaving: string | null,
  revoke: (removed: UsableSession) => Promise<void> = async () => undefined,
): Promise<void> {
  return waitUntil(
    whileEnding(async () => {
      const removed = await removeSessionOf(leaving)
      if (removed !== null) await revoke(removed)
    }),
  )
}

/**
 * Runs an action that ends this session on the server, after the pending requests. The live connection closes first,
 * because the server would refuse its channel, and reopens if the session still exists.
 */
export async function whileEnding<T>(work: () => Promise<T>): Promise<T> {
  void dispatch({ type: 'ending', isEnding: true })
  try {
    await requestsAnswered()
    return await work()
  } finally {
    void dispatch({ type: 'ending', isEnding: false })
  }
}

/** How long the screen waits for the server to end the session, in milliseconds. The request goes on without it. */
const REVOKED_MS = 1_000

/** Never rejects. */
async function revokeInTime(session: UsableSession): Promise<void> {
  const revoked = revokeSession(session).catch((cause: unknown) => logFailure('sign out', cause))
  await Promise.race([revoked, wait(REVOKED_MS)])
}

/**
 * Removes this member's session and ends their pages, here and in the other windows. Resolves to the session, or null if there was none.
 * Never rejects.
 */
async function removeSessionOf(leaving: string | null): Promise<UsableSession | null> {
  let removed: UsableSession | null = null
  try {
    removed = await storedSession()
    // The refusal may arrive late, when another member has signed in.
    if (removed !== null && removed.user.id !== leaving) return null
    await forgetSession(leaving)
  } catch (cause) {
    logFailure('remove stored session', cause)
  }
  void dispatch({ type: 'signed-out' })
  return removed
}
