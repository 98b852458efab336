import { describe, expect, test } from 'vitest'
import { NO_DIVIDER } from '#/renderer/features/messages/divider'
import { isLargeEmoji, layOut, type TimelineParts } from '#/renderer/features/messages/timeline'
import { ME, message } from './messages'

const above = (beforeId: string) => ({ beforeId, isMore: false })

const empty: TimelineParts = {
  me: ME,
  messages: [],
  outgoing: [],
  divider: NO_DIVIDER,
  hasOlder: false,
  isOtherTyping: false,
}

/** The rows in short: messages by id, `*` after the last of a group. */
function shown(parts: Partial<TimelineParts>): string[] {
  return layOut({ ...empty, ...parts }).map((row) => {
    if (row.kind !== 'message') return row.kind
    return `${row.message.id}${row.isLast ? '*' : ''}${row.isSeen ? ' seen' : ''}${row.delivery === 'sent' ? '' : ` ${row.delivery}`}`
  })
}

describe('MSG-12 how a conversation is laid out', () => {
  test('what one sender writes within five minutes stands together', () => {
    const messages = [
      message('a', 0),
      message('b', 5),
      message('c', 11),
      message('d', 11, { sender_id: ME, read: false }),
      message('e', 12),
    ]
    expect(shown({ messages })).toEqual(['beginning', 'day', 'a', 'b*', 'c*', 'd*', 'e*'])
  })

  test('days are named where they begin, and not above a page whose day may have begun before it', () => {
    const late = message('b', 0, { created_at: new Date(2026, 10, 20, 23, 59).toISOString() })
    const early = message('c', 0, { created_at: new Date(2026, 10, 21, 0, 1).toISOString() })
    expect(shown({ messages: [late, early] })).toEqual(['beginning', 'day', 'b*', 'day', 'c*'])
    expect(shown({ messages: [late, early], hasOlder: true })).toEqual(['b*', 'day', 'c*'])
  })

  test('the divider parts a group', () => {
    const messages = [message('a', 0), message('b', 1), message('c', 2)]
    expect(shown({ messages, divider: above('b') })).toEqual(['beginning', 'day', 'a*', 'divider', 'b', 'c*'])
  })

  test('the divider says how many are new: the other’s, as far as they were not taken back', () => {
    const messages = [
      message('a', 0),
      message('b', 1),
      message('c', 2, { deleted_at: '2026-11-21T12:10:00Z' }),
      message('d', 3, { sender_id: ME }),
      message('e', 4),
    ]
    const rows = layOut({ ...empty, messages, divider: above('b') })
    expect(rows.find(({ kind }) => kind === 'divider')).toMatchObject({ count: 2 })
    expect(shown({ messages: messages.slice(2, 4), divider: above('c') })).not.toContain('divider')
  })

  test('MSG-10 only one’s own last message that was read is seen', () => {
    const messages = [
      message('a', 0, { sender_id: ME }),
      message('b', 1, { sender_id: ME }),
      message('c', 2, { sender_id: ME, read: false }),
      message('d', 20),
    ]
    expect(shown({ messages })).toEqual(['beginning', 'day', 'a', 'b seen', 'c*', 'd*'])
  })

  test('MSG-09 what is on its way comes last, and is not there twice once it arrived', () => {
    const sent = message('a', 0, { sender_id: ME, read: false })
    const outgoing = [
      { message: sent, delivery: 'sending' as const, reason: '' },
      { message: message('b', 1, { sender_id: ME }), delivery: 'waiting' as const, reason: '' },
    ]
    expect(shown({ messages: [sent], outgoing })).toEqual(['beginning', 'day', 'a', 'b* waiting'])
    expect(shown({ outgoing: outgoing.slice(1), isOtherTyping: true })).toEqual([
      'beginning',
      'day',
      'b* waiting',
      'typing',
    ])
  })
})

describe('a few emojis alone are shown large', () => {
  test.each(['👍', '❤️', '👨‍👩‍👧‍👦', '🇵🇹 🇳🇱', '1️⃣2️⃣3️⃣', '🙌🏽🙌🏽🙌🏽'])('%s', (text) => {
    expect(isLargeEmoji(text)).toBe(true)
  })
  test.each(['', '  ', 'a', '👍 ok', '123', '👍👍👍👍', '#'])('not %j', (text) => {
    expect(isLargeEmoji(text)).toBe(false)
  })
})
