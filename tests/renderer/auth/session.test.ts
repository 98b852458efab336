import { describe, expect, test } from 'vitest'
import {
  INITIAL,
  type Opened,
  reduce,
  type SessionEvent,
  type SessionState,
  signedIn,
} from '#/renderer/features/auth/session'
import type { User } from '#/renderer/lib/server/supabase'
import { PROFILE_DEFAULTS } from '#tests/renderer/profile-row'

const MARA = userOf('mara')
const NOOR = userOf('noor')

function userOf(id: string): User {
  return {
    id,
    email: `${id}@example.com`,
    aud: 'authenticated',
    app_metadata: {},
    user_metadata: {},
    created_at: '2026-11-21T12:00:00Z',
  }
}

function profileOf({ id }: User) {
  return {
    id,
    username: id,
    full_name: '',
    ...PROFILE_DEFAULTS,
  }
}

const changed = (event: 'SIGNED_IN' | 'TOKEN_REFRESHED' | 'USER_UPDATED', user = MARA) =>
  ({ type: 'session-changed', event, user }) as const
const opened = ({ opening }: SessionState, result: Opened) => ({ type: 'opened', opening, result }) as const
const after = (state: SessionState, ...events: SessionEvent[]) => events.reduce(reduce, state)

const SIGNED_IN: SessionState = { ...INITIAL, session: signedIn(MARA, profileOf(MARA)), owner: 'mara' }
const UNREACHABLE: SessionState = { ...INITIAL, session: { status: 'unreachable', user: MARA } }
const NEEDS_USERNAME: SessionState = {
  ...INITIAL,
  session: { status: 'needs-username', user: MARA, wanted: '', isTaken: false },
}
const OPENING = reduce(INITIAL, changed('SIGNED_IN'))

describe('AUTH-10 at start', () => {
  test('a failed start that is reported late changes nothing', () => {
    expect(reduce(SIGNED_IN, { type: 'start-failed', user: null })).toBe(SIGNED_IN)
  })
})

describe('FEED-18 a session that is known from this device', () => {
  const RESTORED = reduce(INITIAL, { type: 'restored', user: MARA, profile: profileOf(MARA) })
  const checking = reduce(RESTORED, changed('SIGNED_IN'))
  const unreachable = reduce(checking, opened(checking, { status: 'unreachable', user: MARA }))

  test('shows its member at once, unless the state of the session is known already', () => {
    expect(RESTORED.session).toEqual({
      ...signedIn(MARA, profileOf(MARA)),
      restored: { user: MARA, isUnreachable: false },
    })
    for (const state of [SIGNED_IN, UNREACHABLE, reduce(INITIAL, { type: 'signed-out' })])
      expect(reduce(state, { type: 'restored', user: NOOR, profile: profileOf(NOOR) })).toBe(state)
  })

  test('shows its member when the disk is slower than the failure to reach the server', () => {
    expect(reduce(UNREACHABLE, { type: 'restored', user: MARA, profile: profileOf(MARA) })).toEqual(
      unreachable,
    )
  })

  test.each(['ended', 'missing'] as const)(
    'leaves the screen at once if the server calls it %s',
    (status) => {
      expect(reduce(checking, opened(checking, { status })).session).toEqual({ status: 'left' })
    },
  )

  test('leaves the screen if this device turns out to have no session, or that of another member', () => {
    for (const user of [null, NOOR])
      expect(reduce(RESTORED, { type: 'start-failed', user }).session).toEqual({ status: 'left' })
  })

  test('keeps a changed profile while it is not confirmed', () => {
    const state = reduce(RESTORED, { type: 'refresh-started', saved: { id: 'mara', full_name: 'Mara' } })
    expect(state.session).toMatchObject({ me: { profile: { full_name: 'Mara' } }, restored: { user: MARA } })
  })
})

describe('AUTH-12 opening a session', () => {
  test('leaves the screen as it is when the account no longer exists, until the session is removed', () => {
    const state = reduce(OPENING, opened(OPENING, { status: 'ended' }))
    expect(state).toEqual(INITIAL)
  })

  test('is replaced by a sign-in of another member, whose result alone counts', () => {
    const other = reduce(OPENING, changed('SIGNED_IN', NOOR))
    expect(reduce(other, opened(OPENING, signedIn(MARA, profileOf(MARA))))).toBe(other)
    const state = reduce(other, opened(other, signedIn(NOOR, profileOf(NOOR))))
    expect(state.session).toMatchObject({ status: 'signed-in', me: { id: 'noor' } })
  })

  test('is not repeated by a new token while the username is missing, but by a sign-in', () => {
    expect(reduce(NEEDS_USERNAME, changed('TOKEN_REFRESHED'))).toBe(NEEDS_USERNAME)
    expect(reduce(NEEDS_USERNAME, changed('SIGNED_IN')).opening?.user).toBe(MARA)
  })

  test('is retried only after an unreachable server, and not while it is being retried', () => {
    for (const state of [INITIAL, SIGNED_IN, NEEDS_USERNAME, reduce(UNREACHABLE, { type: 'retried' })])
      expect(reduce(state, { type: 'retried' })).toBe(state)
  })
})

describe('AUTH-11 AUTH-12 a page that was a member’s', () => {
  const LEFT = reduce(SIGNED_IN, { type: 'signed-out' })

  test('is theirs from the first moment they are signed in, and ends with their session', () => {
    expect(reduce(INITIAL, { type: 'signed-out' }).session).toEqual({ status: 'signed-out' })
    expect(reduce(NEEDS_USERNAME, { type: 'signed-out' }).session).toEqual({ status: 'signed-out' })
    const restored = reduce(INITIAL, { type: 'restored', user: MARA, profile: profileOf(MARA) })
    for (const state of [
      SIGNED_IN,
      restored,
      reduce(OPENING, opened(OPENING, SIGNED_IN.session as Opened)),
    ]) {
      expect(state.owner).toBe('mara')
      expect(reduce(state, { type: 'signed-out' }).session).toEqual({ status: 'left' })
    }
  })

  test('is theirs from the code for a new password on, which nobody else may get', () => {
    const byCode = reduce(INITIAL, { type: 'session-changed', event: 'PASSWORD_RECOVERY', user: MARA })
    const byLink = reduce(
      reduce(INITIAL, { type: 'recovering', member: MARA.id }),
      changed('SIGNED_IN', MARA),
    )
    for (const state of [byCode, byLink]) {
      expect(state.owner).toBe('mara')
      expect(reduce(state, changed('SIGNED_IN', NOOR)).session).toEqual({ status: 'left' })
    }
    expect(reduce(INITIAL, { type: 'recovering', member: MARA.id }).owner).toBeNull()
  })

  test('ends when another member signs in, whom it never shows', () => {
    expect(reduce(SIGNED_IN, changed('SIGNED_IN', NOOR))).toEqual(LEFT)
    expect(reduce(SIGNED_IN, changed('SIGNED_IN', MARA))).toBe(SIGNED_IN)
  })

  test('opens no further session', () => {
    const events: SessionEvent[] = [
      changed('SIGNED_IN', NOOR),
      changed('SIGNED_IN', MARA),
      { type: 'restored', user: NOOR, profile: profileOf(NOOR) },
      { type: 'start-failed', user: NOOR },
      { type: 'held', hold: 'welcome' },
    ]
    for (const event of events) expect(reduce(LEFT, event)).toBe(LEFT)
    expect(reduce(LEFT, { type: 'ending', isEnding: true })).toMatchObject({ isEnding: true })
  })
})

describe('AUTH-03 the hold of /signup and /login', () => {
  test('AUTH-12 a recovery holds /login until the password was set, even without a username', () => {
    const recovering = reduce(INITIAL, { type: 'session-changed', event: 'PASSWORD_RECOVERY', user: MARA })
    const state = reduce(
      recovering,
      opened(recovering, { status: 'needs-username', user: MARA, wanted: '', isTaken: false }),
    )
    expect(state.hold).toBe('recovery')
    expect(reduce(state, changed('USER_UPDATED')).hold).toBeNull()
  })

  test("AUTH-18 ends when another window stores somebody else's session before the link's: the new password would be theirs", () => {
    const recovering = reduce(INITIAL, { type: 'recovering', member: MARA.id })
    expect(recovering.hold).toBe('recovery')
    expect(reduce(recovering, changed('SIGNED_IN', MARA)).hold).toBe('recovery')
    const others = reduce(recovering, changed('SIGNED_IN', NOOR))
    expect(others.hold).toBeNull()
    expect(others.opening?.user.id).toBe(NOOR.id)
    expect(reduce(others, { type: 'recovering', member: MARA.id }).hold).toBeNull()
  })

  test('another change of the account does not end the welcome', () => {
    const state = reduce({ ...SIGNED_IN, hold: 'welcome' }, changed('USER_UPDATED'))
    expect(state.hold).toBe('welcome')
  })

  test('ends with the session', () => {
    expect(reduce({ ...SIGNED_IN, hold: 'recovery' }, { type: 'signed-out' }).hold).toBeNull()
  })
})

describe('the own profile', () => {
  test('AUTH-13 a created profile signs its member in', () => {
    const event: SessionEvent = { type: 'profile-created', user: MARA, profile: profileOf(MARA) }
    expect(reduce(NEEDS_USERNAME, event).session).toEqual(SIGNED_IN.session)
    const signedOut = reduce(NEEDS_USERNAME, { type: 'signed-out' })
    expect(reduce(signedOut, event)).toBe(signedOut)
    const other: SessionState = {
      ...INITIAL,
      session: { status: 'needs-username', user: NOOR, wanted: '', isTaken: false },
    }
    expect(reduce(other, event)).toBe(other)
  })

  test('takes only the response to the last refresh', () => {
    const state = after(SIGNED_IN, { type: 'refresh-started' }, { type: 'refresh-started' })
    const profile = { ...profileOf(MARA), full_name: 'Mara Lind' }
    expect(reduce(state, { type: 'refreshed', refresh: 1, profile })).toBe(state)
    expect(reduce(state, { type: 'refreshed', refresh: 2, profile: null })).toBe(state)
    expect(reduce(state, { type: 'refreshed', refresh: 2, profile }).session).toMatchObject({
      me: { profile: { full_name: 'Mara Lind' } },
    })
  })
})
