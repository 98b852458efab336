import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dismissRead } from '#/renderer/features/notifications/system/dismiss-read'
import { trackWindow } from '#/renderer/lib/browser/visibility'
import { logFailure } from '#/renderer/lib/core/logger'
import { emitCaughtUp, emitIdsChange, emitRowChange } from '#/renderer/lib/live/row-changes-store'
import { bridgeCalls, type WindowState } from '#/shared/bridge'
import type { Tables } from '#/shared/database.types'

const ME = '0193a6f2-5a51-7b7c-8d5f-000000000001'
const OTHER = '0193a6f2-5a51-7b7c-8d5f-000000000002'

/** The unread ids by table, and the requests that the server received. */
const server = vi.hoisted(() => ({
  unread: { messages: [] as string[], notifications: [] as string[] },
  asked: [] as unknown[][],
  mark: { mark_at: null, mark_id: null } as { mark_at: string | null; mark_id: string | null },
}))

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({
    from: (table: string) => {
      const asked: unknown[] = [table]
      server.asked.push(asked)
      const note =
        (name: string) =>
        (...args: unknown[]) => {
          asked.push([name, ...args])
          return query
        }
      const query = {
        table,
        select: () => query,
        eq: note('eq'),
        neq: note('neq'),
        is: note('is'),
        in: note('in'),
      }
      return query
    },
  }),
  unwrap: async ({ table }: { table: 'messages' | 'notifications' | 'conversation_views' }) =>
    table === 'conversation_views'
      ? [{ conversation_id: 'c', ...server.mark }]
      : server.unread[table].map((id) => ({
          id,
          created_at: '2026-11-21T00:00:00Z',
          conversation_id: 'c',
        })),
}))

vi.mock('#/renderer/lib/live', async () => ({
  ...(await import('#/renderer/lib/live/row-changes-store')),
  ...(await import('#/renderer/lib/live/by-time')),
  ...(await import('#/renderer/lib/live/connection')),
}))

let stop = (): void => undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(logFailure).mockClear()
  server.unread = { messages: [], notifications: [] }
  server.asked = []
  server.mark = { mark_at: null, mark_id: null }
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

/** Dismissals with a host that shows these. */
function dismissing(shown: string[]) {
  const dismissed: (string[] | null)[] = []
  const host = {
    shown: vi.fn(async () => shown),
    dismiss: vi.fn(async (ids: string[] | null) => {
      dismissed.push(ids)
      return undefined
    }),
  }
  const dismissals = dismissRead({ me: ME, host })
  stop = dismissals.stop
  return { dismissed, host, check: dismissals.check, settle: () => vi.advanceTimersByTimeAsync(200) }
}

function update(id: string, given: Partial<Tables<'messages'>> = {}): void {
  const row = { id, sender_id: OTHER, read: true, deleted_at: null, ...given }
  emitRowChange('messages', { kind: 'update', row: row as Tables<'messages'> })
}

describe('DESK-10 system notifications of read items are dismissed', () => {
  test('dismisses read and unsent messages, in one call for a burst', async () => {
    const { dismissed, settle } = dismissing([])
    update('m1')
    update('m2', { read: false, deleted_at: '2026-11-21T00:00:00Z' })
    update('m3', { read: false })
    update('m4', { sender_id: ME })
    await settle()
    expect(dismissed).toEqual([['m1', 'm2']])
    stop()
    update('m5')
    await settle()
    expect(dismissed).toHaveLength(1)
  })

  test('NAV-02 dismisses notifications of what was undone or deleted', async () => {
    const { dismissed, settle } = dismissing([])
    emitIdsChange('notifications', { type: 'DELETE', ids: ['n1', 'n2'] })
    await settle()
    expect(dismissed).toEqual([['n1', 'n2']])
  })

  test('dismisses more ids than the bridge accepts in several calls', async () => {
    const { dismissed, settle } = dismissing([])
    for (let id = 0; id < 1_100; id++) update(`m${id}`)
    await settle()
    expect(dismissed.map((ids) => ids?.length)).toEqual([500, 500, 100])
    for (const ids of dismissed)
      expect(bridgeCalls['notifications.dismiss'].args.safeParse([ids]).success).toBe(true)
  })

  test('dismisses notifications of an earlier page at the start if they have been read', async () => {
    server.unread = { messages: ['m1'], notifications: ['n1'] }
    const { dismissed, settle } = dismissing(['m1', 'm2', 'n1', 'n2'])
    await settle()
    expect(dismissed).toEqual([['m2', 'n2']])
    const ids = ['in', 'id', ['m1', 'm2', 'n1', 'n2']]
    expect(server.asked).toEqual([
      ['messages', ['neq', 'sender_id', ME], ['is', 'deleted_at', null], ids],
      ['notifications', ['eq', 'user_id', ME], ['eq', 'read', false], ids],
      ['conversation_views', ['eq', 'member_id', ME], ['in', 'conversation_id', ['c']]],
    ])
  })

  test('dismisses messages up to the own mark, which another device has raised without telling their senders', async () => {
    server.unread = { messages: ['m1', 'm2'], notifications: ['n1'] }
    const { dismissed, settle } = dismissing(['m1', 'm2', 'n1'])
    await settle()
    expect(dismissed).toEqual([])
    server.mark = { mark_at: '2026-11-21T00:00:00Z', mark_id: 'm1' }
    const row = { conversation_id: 'c' } as Tables<'conversation_views'>
    emitRowChange('conversation_views', { kind: 'update', row })
    await settle()
    expect(dismissed).toEqual([['m1']])
  })

  test('checks with the server after a reconnect, when the window is focused, and once a minute', async () => {
    const listeners: ((state: WindowState) => void)[] = []
    trackWindow({
      state: async () => ({ isVisible: false, isFocused: false }),
      onChange: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    })
    const { host, check, settle } = dismissing(['m1'])
    await settle()
    expect(host.shown).toHaveBeenCalledTimes(1)
    emitCaughtUp()
    expect(host.shown).toHaveBeenCalledTimes(2)
    listeners[0]?.({ isVisible: true, isFocused: true })
    expect(host.shown).toHaveBeenCalledTimes(3)
    listeners[0]?.({ isVisible: true, isFocused: false })
    expect(host.shown).toHaveBeenCalledTimes(3)
    check()
    expect(host.shown).toHaveBeenCalledTimes(4)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(host.shown).toHaveBeenCalledTimes(5)
    stop()
    check()
    emitCaughtUp()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(host.shown).toHaveBeenCalledTimes(5)
  })

  test('sends no request while no notification is shown', async () => {
    const { settle } = dismissing([])
    await settle()
    expect(server.asked).toEqual([])
  })

  test('only logs errors of the host', async () => {
    const cause = new Error('refused')
    const host = { shown: () => Promise.reject(cause), dismiss: () => Promise.reject(cause) }
    stop = dismissRead({ me: ME, host }).stop
    update('m1')
    await vi.advanceTimersByTimeAsync(200)
    expect(vi.mocked(logFailure).mock.calls).toEqual([
      ['check notifications', cause],
      ['dismiss notifications', cause],
    ])
  })
})
