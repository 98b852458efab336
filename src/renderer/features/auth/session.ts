import type { AuthChangeEvent, User } from '#/renderer/lib/server/supabase'
import type { OwnProfile } from './queries'

/** The signed-in member. */
export interface Me {
  id: string
  email: string
  profile: OwnProfile
}

interface Restored {
  user: User
  /** The last attempt to reach the server failed. */
  isUnreachable: boolean
}

export type Session =
  /** Until the first session check has finished. */
  | { status: 'loading' }
  /** `hasFailed`: a session could not be opened, and forms that wait for it must show that. */
  | { status: 'signed-out'; hasFailed?: true }
  /** The page's member is no longer signed in. The page waits for its reload. */
  | { status: 'left' }
  /** An account without a profile row: its username is missing, or was taken meanwhile. */
  | { status: 'needs-username'; user: User; wanted: string; isTaken: boolean }
  /** There is a session, but the server is unreachable. */
  | { status: 'unreachable'; user: User }
  /** `restored`: known from this device only; the server has not confirmed the session yet. */
  | { status: 'signed-in'; me: Me; restored?: Restored }

type RestoredSession = Extract<Session, { status: 'signed-in' }> & { restored: Restored }

/** The result of opening a user's session. */
export type Opened =
  | Extract<Session, { status: 'needs-username' | 'unreachable' | 'signed-in' }>
  /** The client has no session of this user. */
  | { status: 'missing' }
  /** The account was deleted, or the server no longer accepts the session. */
  | { status: 'ended' }

export interface SessionState {
  session: Session
  /**
   * The member to whom this page belongs: the first who was signed in, or whose code for a new password was accepted. Nothing that they began goes on under the next session, because
   * the page ends with theirs.
   */
  owner: string | null
  /** The user whose profile is being loaded. A newer attempt replaces it. */
  opening: { user: User } | null
  /** Keeps /login or /signup open despite a session: to show the welcome, or to ask for a new password. */
  hold: 'welcome' | 'recovery' | null
  /** Whose new password a recovery asks for: another member's session ends the hold. */
  recovering: string | null
  /** This window is ending the session on the server: the live connection stays closed meanwhile. */
  isEnding: boolean
  /** Counts the refreshes of the own profile: only the response to the last one counts. */
  refreshes: number
}

export type SessionEvent =
  /** supabase-js reports a session of this user. */
  | { type: 'session-changed'; event: AuthChangeEvent; user: User }
  /** This device has a session of this user, and knows their profile. */
  | { type: 'restored'; user: User; profile: OwnProfile }
  /** No session could be opened at start. `user`: the user of the stored session, which may have expired. */
  | { type: 'start-failed'; user: User | null }
  | { type: 'opened'; opening: SessionState['opening']; result: Opened }
  | { type: 'retried' }
  | { type: 'signed-out'; hasFailed?: true }
  | { type: 'profile-created'; user: User; profile: OwnProfile }
  | { type: 'refresh-started'; saved?: ProfilePatch | undefined }
  | { type: 'refreshed'; refresh: number; profile: OwnProfile | null }
  | { type: 'held'; hold: 'welcome' | null }
  | { type: 'recovering'; member: string }
  | { type: 'ending'; isEnding: boolean }

/** Fields of a profile that the server has stored. */
export type ProfilePatch = Pick<OwnProfile, 'id'> & Partial<OwnProfile>

export const INITIAL: SessionState = {
  session: { status: 'loading' },
  owner: null,
  opening: null,
  hold: null,
  recovering: null,
  isEnding: false,
  refreshes: 0,
}

export function userIdOf(session: Session): string | null {
  if (session.status === 'signed-in') return session.me.id
  return 'user' in session ? session.user.id : null
}

export function signedIn(user: User, profile: OwnProfile): Extract<Session, { status: 'signed-in' }> {
  return { status: 'signed-in', me: { id: user.id, email: user.email ?? '', profile } }
}

/** Returns the state after the event; the same object if nothing changes. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  if (state.session.status === 'left' && event.type !== 'ending') return state
  const next = ofItsMember(step(state, event))
  const { owner } = next
  if (owner === null) {
    const first = firstOwner(next)
    return first === null ? next : { ...next, owner: first }
  }
  return idsOf(next).some((id) => id !== owner) ? signedOut(next) : next
}

/** Who has a session in this state, or is getting one. */
function idsOf({ session, opening }: SessionState): string[] {
  return [userIdOf(session), opening?.user.id ?? null].filter((id) => id !== null)
}

/** The member who makes a page theirs: by being signed in, or by a code for a new password, which must not be set for anybody else. */
function firstOwner(state: SessionState): string | null {
  const { session, hold, recovering } = state
  if (session.status === 'signed-in') return session.me.id
  return hold === 'recovery' && recovering !== null && idsOf(state).includes(recovering) ? recovering : null
}

/** A recovery waits for the session of its link, and another window may have stored the session of somebody else meanwhile. */
function ofItsMember(state: SessionState): SessionState {
  const { hold, recovering } = state
  const isOthers = hold === 'recovery' && idsOf(state).some((id) => id !== recovering)
  return isOthers ? { ...state, hold: null, recovering: null } : state
}

function step(state: SessionState, event: SessionEvent): SessionState {
  const { session } = state
  switch (event.type) {
    case 'session-changed':
      return afterChange(withHoldAfter(state, event.event, event.user), event.event, event.user)
    case 'restored':
      // The disk may be slower than a server that cannot be reached.
      if (session.status !== 'loading' && session.status !== 'unreachable') return state
      if (session.status === 'unreachable' && session.user.id !== event.user.id) return state
      return {
        ...state,
        session: restoredSession(event.user, event.profile, session.status === 'unreachable'),
      }
    case 'start-failed':
      if (session.status !== 'loading' && !isRestored(session)) return state
      return event.user === null ? signedOut(state) : unreachable(state, event.user)
    case 'opened':
      // The member has signed out, or changed, meanwhile.
      if (event.opening === null || state.opening !== event.opening) return state
      return afterOpening({ ...state, opening: null }, event.result)
    case 'retried':
      if (session.status === 'unreachable') return open(state, session.user)
      return isRestored(session) ? open(state, session.restored.user) : state
    case 'signed-out':
      return signedOut(state, event.hasFailed)
    case 'profile-created':
      // Ignore a response that arrives after sign-out: it would sign the member in again.
      return session.status === 'needs-username' && session.user.id === event.user.id
        ? { ...state, session: signedIn(event.user, event.profile) }
        : state
    case 'refresh-started':
      return { ...withProfile(state, event.saved ?? null), refreshes: state.refreshes + 1 }
    case 'refreshed':
      return event.refresh === state.refreshes ? withProfile(state, event.profile) : state
    case 'held':
      return { ...state, hold: event.hold, recovering: null }
    case 'recovering':
      return { ...state, hold: 'recovery', recovering: event.member }
    case 'ending':
      return { ...state, isEnding: event.isEnding }
  }
}

/** Whether the server has yet to confirm the session. */
export function isRestored(session: Session): session is RestoredSession {
  return session.status === 'signed-in' && session.restored !== undefined
}

function restoredSession(user: User, profile: OwnProfile, isUnreachable: boolean): RestoredSession {
  return { ...signedIn(user, profile), restored: { user, isUnreachable } }
}

/** A member whose profile is known from this device goes on with what is cached. */
function unreachable(state: SessionState, user: User): SessionState {
  const { session } = state
  if (isRestored(session) && session.me.id === user.id)
    return { ...state, session: restoredSession(user, session.me.profile, true) }
  return { ...state, session: { status: 'unreachable', user } }
}

function withHoldAfter(state: SessionState, event: AuthChangeEvent, { id }: User): SessionState {
  if (event === 'PASSWORD_RECOVERY') return { ...state, hold: 'recovery', recovering: id }
  // The new password was set, here or in another window.
  if (event === 'USER_UPDATED' && state.hold === 'recovery') return { ...state, hold: null }
  return state
}

function afterChange(state: SessionState, event: AuthChangeEvent, user: User): SessionState {
  const { session } = state
  if (session.status === 'signed-in' && session.me.id === user.id) {
    if (isRestored(session)) return open(state, user)
    // TOKEN_REFRESHED and a repeated SIGNED_IN (a tab became visible) change nothing on screen.
    if (event !== 'USER_UPDATED') return state
    return { ...state, session: { ...session, me: { ...session.me, email: user.email ?? '' } } }
  }
  const isKnown = userIdOf(session) === user.id && session.status !== 'unreachable'
  return isKnown && event === 'TOKEN_REFRESHED' ? state : open(state, user)
}

/** supabase-js reports a stored session twice, as SIGNED_IN and as INITIAL_SESSION: open it once. */
function open(state: SessionState, user: User): SessionState {
  return state.opening?.user.id === user.id ? state : { ...state, opening: { user } }
}

function afterOpening(state: SessionState, result: Opened): SessionState {
  switch (result.status) {
    case 'missing':
      return signedOut(state, true)
    case 'ended':
      // Nothing of an ended session stays on screen while it is removed.
      return isRestored(state.session) ? signedOut(state, true) : state
    case 'unreachable':
      return unreachable(state, result.user)
    case 'needs-username':
      return { ...state, session: result, hold: state.hold === 'welcome' ? null : state.hold }
    default:
      return { ...state, session: result }
  }
}

function signedOut(state: SessionState, hasFailed?: true): SessionState {
  return {
    ...state,
    session:
      state.owner === null ? { status: 'signed-out', ...(hasFailed && { hasFailed }) } : { status: 'left' },
    opening: null,
    hold: null,
  }
}

/** Applies fields of the signed-in member's profile; ignores those of another member. */
function withProfile(state: SessionState, patch: ProfilePatch | null): SessionState {
  const { session } = state
  if (session.status !== 'signed-in' || session.me.id !== patch?.id) return state
  const { me } = session
  return { ...state, session: { ...session, me: { ...me, profile: { ...me.profile, ...patch } } } }
}
