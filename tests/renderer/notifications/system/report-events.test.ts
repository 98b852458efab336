import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { reportEvents } from '#/renderer/features/notifications/system/report-events'
import { recordServerTime } from '#/renderer/lib/core/clock-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live/connection'
import { emitCaughtUp, emitRowChange } from '#/renderer/lib/live/row-changes-store'
import type { Notice } from '#/shared/bridge'
import { bridgeCalls } from '#/shared/bridge'
import type { Tables } from '#/shared/database.types'

const ME = '0193a6f2-5a51-7b7c-8d5f-000000000001'
const OTHER = '0193a6f2-5a51-7b7c-8d5f-000000000002'
const AT = '2026-11-21T12:00:00.000001+00:00'
const ITEM = '0193a6f2-5a51-7b7c-8d5f-000000000003'

/** The server's row by table. */
const server = vi.hoisted(() => ({ rows: new Map<string, unknown>() }))

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({
    from: (table: string) => {
      const query = {
        select: () => query,
        eq: () => query,
        maybeSingle: () => server.rows.get(table) ?? null,
      }
      return query
    },
  }),
  unwrap: async (value: unknown) => value,
}))

vi.mock('#/renderer/lib/live', async () => ({
  ...(await import('#/renderer/lib/live/row-changes-store')),
  ...(await import('#/renderer/lib/live/by-time')),
  ...(await import('#/renderer/lib/live/connection')),
}))

beforeEach(() => {
  server.rows.clear()
  vi.mocked(logFailure).mockClear()
  connection.setState({ state: 'online', retryAt: null })
  server.rows.set('profiles', { username: 'mara' })
  server.rows.set('notifications', { id: ITEM, actor: { username: 'mara' }, comment: null })
})

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

function reporting() {
  const shown: Notice[] = []
  const stop = reportEvents({ client: new QueryClient(), me: ME, show: async (notice) => shown.push(notice) })
  return { shown, stop }
}

function emitNotification(row: Tables<'notifications'>): void {
  emitRowChange('notifications', { kind: 'insert', row })
}

function message(given: Partial<Tables<'messages'>> = {}): Tables<'messages'> {
  return {
    id: ITEM,
    conversation_id: ITEM,
    sender_id: OTHER,
    content: 'Hello\n  there',
    read: false,
    created_at: AT,
    deleted_at: null,
    ...given,
  } as Tables<'messages'>
}

function notification(given: Partial<Tables<'notifications'>> = {}): Tables<'notifications'> {
  return {
    id: ITEM,
    user_id: ME,
    actor_id: OTHER,
    type: 'like',
    post_id: ITEM,
    story_id: null,
    comment_id: null,
    about: null,
    message: null,
    read: false,
    ...given,
  } as Tables<'notifications'>
}

describe('DESK-03 live events are reported', () => {
  test('MSG-13 but not the messages of a stranger, which wait as a request', async () => {
    server.rows.set('conversation_views', { folder: 'requests', mark_at: null, mark_id: null })
    const { shown, stop } = reporting()
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    expect(shown).toEqual([])
    server.rows.set('conversation_views', { folder: 'inbox', mark_at: null, mark_id: null })
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    expect(shown).toHaveLength(1)
    stop()
  })

  test('a message in a group has the name of the group as the title, and says who wrote it; none of an archived group', async () => {
    const view = { folder: 'inbox', is_group: true, mark_at: null, mark_id: null }
    server.rows.set('conversation_views', { ...view, conversation: { name: 'Harbour' } })
    const { shown, stop } = reporting()
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    expect(shown).toMatchObject([{ title: 'Harbour', body: expect.stringMatching(/^mara: ./) }])
    server.rows.set('conversation_views', { ...view, conversation: { name: '\u200b\u3164' } })
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    expect(shown).toMatchObject([{}, { title: 'Group' }])
    server.rows.set('conversation_views', { ...view, folder: 'archived', conversation: { name: 'Harbour' } })
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    expect(shown).toHaveLength(2)
    stop()
  })

  test('a message has its sender as the title, its text on one line, and the route of its conversation', async () => {
    const { shown, stop } = reporting()
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    expect(shown).toEqual([
      {
        kind: 'message',
        id: ITEM,
        sentAt: AT,
        title: 'mara',
        body: 'Hello there',
        route: `/messages?c=${ITEM}`,
      },
    ])
    stop()
  })

  test('FEED-08 a like that was undone and repeated is reported once', async () => {
    const { shown, stop } = reporting()
    for (const id of [ITEM, ITEM, OTHER]) {
      emitNotification(notification({ id }))
      await settle()
    }
    expect(shown.map(({ id }) => id)).toEqual([ITEM, OTHER])
    stop()
  })

  test('ACC-04 names and texts are isolated from the sentence around them, in one line', async () => {
    const { shown, stop } = reporting()
    emitRowChange('messages', { kind: 'insert', row: message({ content: 'שלום\u2069\u202e\nmore' }) })
    await settle()
    expect(shown.map(({ body }) => body)).toEqual(['\u2068שלום\u202e more\u2069'])
    stop()
  })

  test('PROF-06 a long message is not cut inside a character', async () => {
    const { shown, stop } = reporting()
    emitRowChange('messages', { kind: 'insert', row: message({ content: `${'x'.repeat(158)}👨‍👩‍👧` }) })
    await settle()
    expect(shown.map(({ body }) => body)).toEqual([`${'x'.repeat(158)}…`])
    stop()
  })

  test('a photo without text is named; a long message is cut between code points', async () => {
    const { shown, stop } = reporting()
    emitRowChange('messages', { kind: 'insert', row: message({ content: '' }) })
    emitRowChange('messages', { kind: 'insert', row: message({ content: '📷'.repeat(400) }) })
    await settle()
    expect(shown.map(({ body }) => body)).toEqual(['Sent a photo', `${'📷'.repeat(160)}…`])
    stop()
  })

  test('FEED-17 a shared post, story or profile without text is named', async () => {
    const { shown, stop } = reporting()
    for (const shared_kind of ['post', 'story', 'profile'])
      emitRowChange('messages', { kind: 'insert', row: message({ content: '', shared_kind }) })
    await settle()
    expect(shown.map(({ body }) => body)).toEqual(['Sent a post', 'Sent a story', 'Sent a profile'])
    stop()
  })

  test('ignores the member’s own actions, updates, read and unsent items, and hidden senders', async () => {
    const { shown, stop } = reporting()
    emitRowChange('messages', { kind: 'insert', row: message({ sender_id: ME }) })
    emitRowChange('messages', { kind: 'update', row: message() })
    // Read on another device, whether or not its sender sees that.
    server.rows.set('conversation_views', { folder: 'inbox', mark_at: AT, mark_id: ITEM })
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    emitRowChange('messages', { kind: 'insert', row: message({ deleted_at: '2026-11-21T00:00:00Z' }) })
    emitNotification(notification({ actor_id: ME }))
    emitNotification(notification({ user_id: OTHER }))
    server.rows.clear()
    emitRowChange('messages', { kind: 'insert', row: message() })
    emitNotification(notification())
    await settle()
    expect(shown).toEqual([])
    stop()
  })

  test('SAFE-02 ignores what muted members do', async () => {
    const { shown, stop } = reporting()
    server.rows.set('mutes', { muted_id: OTHER })
    emitNotification(notification())
    await settle()
    expect(shown).toEqual([])
    stop()
  })

  test.each<[string, Partial<Tables<'notifications'>>, Partial<Notice>]>([
    ['a like', {}, { kind: 'like', body: 'liked your post', route: `/?post=${ITEM}` }],
    ['a follow', { type: 'follow', post_id: null }, { kind: 'follow', route: '/profile/mara' }],
    [
      'a request',
      { type: 'other', about: 'follow_request', post_id: null, message: 'asked to follow you' },
      { kind: 'request', body: 'asked to follow you', route: '/profile/mara' },
    ],
    [
      'an accepted request',
      { type: 'other', about: 'follow_accepted', post_id: null, message: 'accepted your request to follow' },
      { kind: 'accepted', body: 'accepted your request to follow', route: '/profile/mara' },
    ],
    [
      'a story view',
      { type: 'story_view', post_id: null, story_id: ITEM },
      { kind: 'story_view', route: `/?story=${ITEM}` },
    ],
    [
      'NOTE-05 a reply',
      { type: 'reply', comment_id: ITEM },
      { kind: 'reply', body: 'replied to your comment', route: `/?post=${ITEM}&comment=${ITEM}` },
    ],
    [
      'FEED-15 a liked comment',
      { type: 'comment_like', comment_id: ITEM },
      { kind: 'comment_like', body: 'liked your comment', route: `/?post=${ITEM}&comment=${ITEM}` },
    ],
    [
      'NOTE-05 a mention in a post',
      { type: 'mention' },
      { kind: 'mention', body: 'mentioned you in a post', route: `/?post=${ITEM}` },
    ],
    [
      'NOTE-05 a mention in a story',
      { type: 'mention', post_id: null, story_id: ITEM },
      { kind: 'mention', body: 'mentioned you in a story', route: `/?story=${ITEM}` },
    ],
  ])('%s has the route of its subject, and the bridge accepts it', async (_what, row, expected) => {
    const { shown, stop } = reporting()
    emitNotification(notification(row))
    await settle()
    expect(shown).toMatchObject([{ id: ITEM, title: 'mara', ...expected }])
    expect(bridgeCalls['notifications.show'].args.safeParse(shown).success).toBe(true)
    stop()
  })

  test('a comment includes its text', async () => {
    server.rows.set('notifications', {
      id: ITEM,
      actor: { username: 'mara' },
      comment: { content: 'What light!' },
    })
    const { shown, stop } = reporting()
    emitNotification(notification({ type: 'comment' }))
    await settle()
    expect(shown).toMatchObject([{ kind: 'comment', body: 'commented on your post: What light!' }])
    stop()
  })

  test('NOTE-05 a mention in a comment includes its text', async () => {
    server.rows.set('notifications', {
      id: ITEM,
      actor: { username: 'mara' },
      comment: { content: 'Look, @noor' },
    })
    const { shown, stop } = reporting()
    emitNotification(notification({ type: 'mention', comment_id: ITEM }))
    await settle()
    expect(shown).toMatchObject([{ kind: 'mention', body: 'mentioned you in a comment: Look, @noor' }])
    stop()
  })

  test('only logs an item that cannot be loaded or shown', async () => {
    const cause = new Error('offline')
    const messageNotice = vi.fn(async (): Promise<Notice | null> => Promise.reject(cause))
    const notice = { kind: 'message', id: ITEM, title: 'mara', body: 'Hello', route: '/' } as const
    const show = vi.fn(async (): Promise<void> => Promise.reject(cause))
    const stop = reportEvents({ client: new QueryClient(), me: ME, show, messageNotice })
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    messageNotice.mockResolvedValueOnce(notice)
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    expect(show).toHaveBeenCalledExactlyOnceWith(notice)
    expect(vi.mocked(logFailure).mock.calls).toEqual([
      ['report event', cause],
      ['report event', cause],
    ])
    stop()
  })

  test('reports nothing after sign-out, not even an item that is still loading', async () => {
    const { shown, stop } = reporting()
    emitRowChange('messages', { kind: 'insert', row: message() })
    stop()
    emitRowChange('messages', { kind: 'insert', row: message() })
    await settle()
    expect(shown).toEqual([])
  })
})

describe('DESK-03 items missed during an interruption', () => {
  const LATER = '2126-11-21T08:00:00.000001+00:00'

  /** Reports with a server that always has these missed messages; `asked` contains the time of each request. */
  function reportMissed(rows: Tables<'messages'>[]) {
    const shown: Notice[] = []
    const asked: string[] = []
    let fails = false
    const stop = reportEvents({
      client: new QueryClient(),
      me: ME,
      show: async (notice) => shown.push(notice),
      missed: async (_me, since) => {
        asked.push(since)
        if (fails) throw new Error('not there yet')
        return [rows, [notification({ created_at: LATER })]]
      },
    })
    const lose = () => connection.setState({ state: 'lost', retryAt: null })
    const reconnect = async () => {
      connection.setState({ state: 'online', retryAt: null })
      emitCaughtUp()
      await settle()
      await settle()
    }
    return { shown, asked, stop, lose, reconnect, fail: (now: boolean) => (fails = now) }
  }

  test('are reported after the reconnect, from the latest known item on', async () => {
    const { shown, asked, stop, lose, reconnect } = reportMissed([message({ created_at: LATER })])
    emitRowChange('messages', { kind: 'insert', row: message({ created_at: '2126-11-21T07:00:00+00:00' }) })
    lose()
    await reconnect()
    expect(asked).toEqual(['2126-11-21T07:00:00+00:00'])
    expect(shown.map(({ kind }) => kind).toSorted()).toEqual(['like', 'message', 'message'])
    lose()
    await reconnect()
    expect(asked[1]).toBe(LATER)
    stop()
    lose()
    await reconnect()
    expect(asked).toHaveLength(2)
  })

  test('are requested by the server’s clock if no item is known, even if the local clock is wrong', async () => {
    const hourBehind = Math.floor(Date.now() / 1_000 - 3_600) * 1_000
    recordServerTime(new Response(null, { headers: { date: new Date(hourBehind).toUTCString() } }))
    const { asked, stop, lose, reconnect } = reportMissed([])
    recordServerTime(new Response(null, { headers: { date: new Date().toUTCString() } }))
    lose()
    await reconnect()
    expect(Date.parse(asked[0] ?? '')).toBeLessThan(hourBehind + 60_000)
    stop()
  })

  test('are not requested at the first connection or while it lasts', async () => {
    const { asked, stop, reconnect } = reportMissed([])
    await reconnect()
    await reconnect()
    expect(asked).toEqual([])
    stop()
  })

  test('are requested again after a failed request', async () => {
    const { shown, stop, lose, reconnect, fail } = reportMissed([message()])
    fail(true)
    lose()
    await reconnect()
    expect(shown).toEqual([])
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('report missed events', expect.any(Error))
    fail(false)
    await reconnect()
    expect(shown).toHaveLength(2)
    stop()
  })

  test('are ignored if they are the member’s own, read or unsent', async () => {
    const rows = [message({ sender_id: ME }), message(), message({ deleted_at: LATER })]
    server.rows.set('conversation_views', { folder: 'inbox', mark_at: AT, mark_id: ITEM })
    const { shown, stop, lose, reconnect } = reportMissed(rows)
    lose()
    await reconnect()
    expect(shown.map(({ kind }) => kind)).toEqual(['like'])
    stop()
  })
})
