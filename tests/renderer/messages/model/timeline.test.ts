import { describe, expect, test } from 'vitest'
import {
  buildTimeline,
  isLargeEmoji,
  NO_DIVIDER,
  type TimelineParts,
} from '#/renderer/features/messages/model/timeline'
import { ME, message } from '../messages'

const above = (beforeId: string) => ({ beforeId, untilId: null, isMore: false })

const empty: TimelineParts = {
  me: ME,
  messages: [],
  outgoing: [],
  divider: NO_DIVIDER,
  hasOlder: false,
  isOtherTyping: false,
  deliveredAt: null,
}

/** The rows in short: messages by id, `*` after the last of a group. */
function shown(parts: Partial<TimelineParts>): string[] {
  return buildTimeline({ ...empty, ...parts }).map((row) => {
    if (row.kind !== 'message') return row.kind
    return `${row.message.id}${row.isLast ? '*' : ''}${row.receipt === null ? '' : ` ${row.receipt}`}${row.delivery === 'sent' ? '' : ` ${row.delivery}`}`
  })
}

describe('MSG-12 the timeline of a conversation', () => {
  test('groups messages of one sender within five minutes', () => {
    const messages = [
      message('a', 0),
      message('b', 5),
      message('c', 11),
      message('d', 11, { sender_id: ME, read: false }),
      message('e', 12),
    ]
    expect(shown({ messages })).toEqual(['beginning', 'day', 'a', 'b*', 'c*', 'd* sent', 'e*'])
  })

  test('shows days at their first message, but not above a page whose day may start earlier', () => {
    const late = message('b', 0, { created_at: new Date(2026, 10, 20, 23, 59).toISOString() })
    const early = message('c', 0, { created_at: new Date(2026, 10, 21, 0, 1).toISOString() })
    expect(shown({ messages: [late, early] })).toEqual(['beginning', 'day', 'b*', 'day', 'c*'])
    expect(shown({ messages: [late, early], hasOlder: true })).toEqual(['b*', 'day', 'c*'])
  })

  test('the divider splits a group', () => {
    const messages = [message('a', 0), message('b', 1), message('c', 2)]
    expect(shown({ messages, divider: above('b') })).toEqual(['beginning', 'day', 'a*', 'divider', 'b', 'c*'])
  })

  test('the divider counts new messages of the other member that were not unsent', () => {
    const messages = [
      message('a', 0),
      message('b', 1),
      message('c', 2, { deleted_at: '2026-11-21T12:10:00Z' }),
      message('d', 3, { sender_id: ME }),
      message('e', 4),
    ]
    const rows = buildTimeline({ ...empty, messages, divider: above('b') })
    expect(rows.find(({ kind }) => kind === 'divider')).toMatchObject({ count: 2 })
    expect(shown({ messages: messages.slice(2, 4), divider: above('c') })).not.toContain('divider')
  })

  test('MSG-10 shows Seen only at the last own message that was read', () => {
    const messages = [
      message('a', 0, { sender_id: ME }),
      message('b', 1, { sender_id: ME }),
      message('c', 2, { sender_id: ME, read: false }),
      message('d', 20),
    ]
    expect(shown({ messages })).toEqual(['beginning', 'day', 'a', 'b seen', 'c* sent', 'd*'])
  })

  test('MSG-14 shows Delivered and Sent at the last own message that has come as far', () => {
    const own = (id: string, minute: number, read = false) => message(id, minute, { sender_id: ME, read })
    const messages = [own('a', 0, true), own('b', 10), own('c', 20), own('d', 30)]
    const until = (id: string) => messages.find((each) => each.id === id)?.created_at ?? null
    const receipts = (deliveredAt: string | null) => shown({ messages, deliveredAt }).slice(2)
    expect(receipts(null)).toEqual(['a* seen', 'b*', 'c*', 'd* sent'])
    expect(receipts(until('a'))).toEqual(['a* seen', 'b*', 'c*', 'd* sent'])
    expect(receipts(until('c'))).toEqual(['a* seen', 'b*', 'c* delivered', 'd* sent'])
    expect(receipts(until('d'))).toEqual(['a* seen', 'b*', 'c*', 'd* delivered'])
    const unsent = { ...own('e', 40), deleted_at: until('d') }
    expect(shown({ messages: [...messages, unsent] }).at(-1)).toBe('e*')
  })

  test('MSG-09 shows pending messages last, and only once after they are stored', () => {
    const sent = message('a', 0, { sender_id: ME, read: false })
    const outgoing = [
      { message: sent, delivery: 'sending' as const, reason: '' },
      { message: message('b', 1, { sender_id: ME }), delivery: 'waiting' as const, reason: '' },
    ]
    expect(shown({ messages: [sent], outgoing })).toEqual(['beginning', 'day', 'a sent', 'b* waiting'])
    expect(shown({ outgoing: outgoing.slice(1), isOtherTyping: true })).toEqual([
      'beginning',
      'day',
      'b* waiting',
      'typing',
    ])
  })
})

describe('large emojis', () => {
  test.each(['👍', '❤️', '👨‍👩‍👧‍👦', '🇵🇹 🇳🇱', '1️⃣2️⃣3️⃣', '🙌🏽🙌🏽🙌🏽'])('%s', (text) => {
    expect(isLargeEmoji(text)).toBe(true)
  })
  test.each(['', '  ', 'a', '👍 ok', '123', '👍👍👍👍', '#'])('not %j', (text) => {
    expect(isLargeEmoji(text)).toBe(false)
  })
})
