import { describe, expect, test } from 'vitest'
import {
  buildTimeline,
  type Divider,
  laterId,
  NO_DIVIDER,
  nextDivider,
  receivedAfter,
} from '#/renderer/features/messages/model/timeline'
import { texts } from '#/renderer/lib/texts'
import { ME, markAt, message, NO_MARK } from '../messages'

const old = message('old', 0)
const first = message('first', 1, { read: false })
const second = message('second', 2, { read: false })
const own = message('own', 3, { sender_id: ME, read: false })

/** The mark of a member who has read these messages as far as they say so. */
function markIn(messages: (typeof old)[]) {
  const last = messages.findLast(({ read }) => read)
  return last === undefined ? NO_MARK : markAt(last)
}

function moved(divider: Divider, messages: (typeof old)[], isLooking = true): Divider {
  return nextDivider(divider, { messages, mark: markIn(messages), hasOlder: true, me: ME, isLooking })
}

function opening(divider: Divider, messages: (typeof old)[]): Divider {
  return nextDivider(divider, {
    messages,
    mark: markIn(messages),
    hasOlder: true,
    me: ME,
    isLooking: true,
    isOpening: true,
  })
}

describe('MSG-12 the unread divider', () => {
  test('stands above the first message that was unread when the conversation opened', () => {
    expect(moved(NO_DIVIDER, [old, first, second]).beforeId).toBe('first')
    expect(moved(NO_DIVIDER, [old]).beforeId).toBeNull()
  })

  test('says when there are more unread messages than the loaded ones', () => {
    const opened = moved(NO_DIVIDER, [first, second])
    expect(opened).toMatchObject({ beforeId: 'first', isMore: true })
    // Older messages do not move it.
    expect(moved(opened, [message('older', -1), first, second])).toBe(opened)
    expect(moved(NO_DIVIDER, [old, first, second]).isMore).toBe(false)
    const whole = { messages: [first, second], mark: NO_MARK, hasOlder: false, me: ME, isLooking: true }
    expect(nextDivider(NO_DIVIDER, whole)).toMatchObject({ beforeId: 'first', isMore: false })
    expect(texts.messages.newMessages(1_000, true)).toBe('1,000+ new messages')
    expect(texts.messages.newMessages(1, false)).toBe('1 new message')
  })

  test('stays while the member reads and while older messages are loaded', () => {
    const opened = moved(NO_DIVIDER, [old, first])
    expect(moved(opened, [message('older', -1), old, { ...first, read: true }])).toBe(opened)
    expect(moved(opened, [old, { ...first, read: true }, second]).beforeId).toBe('first')
  })

  test('stands above messages from the first fetch, and above live ones before that fetch', () => {
    const opened = opening(opening(NO_DIVIDER, [old]), [old, first])
    expect(opened.beforeId).toBe('first')
    // The member is looking, so the first message is marked as read before the others are loaded.
    expect(opening(opened, [old, { ...first, read: true }, second]).beforeId).toBe('first')
    expect(moved(opened, [old, { ...first, read: true }, second]).beforeId).toBe('first')
  })

  test('does not count messages that the member saw arrive', () => {
    const count = (divider: Divider, messages: (typeof old)[]) =>
      buildTimeline({
        me: ME,
        messages,
        outgoing: [],
        divider,
        hasOlder: true,
        isOtherTyping: false,
        deliveredAt: null,
      }).find((row) => row.kind === 'divider')?.count
    const opened = moved(NO_DIVIDER, [old, first])
    expect(count(opened, [old, first])).toBe(1)
    const read = { ...first, read: true }
    const watched = moved(opened, [old, read, second])
    expect(count(watched, [old, read, second])).toBe(1)
    // What arrives while they look elsewhere counts, together with what is still unread.
    const away = moved(opened, [old, first, second], false)
    expect(count(away, [old, first, second])).toBe(2)
  })

  test('does not appear for messages that arrive while the member looks', () => {
    expect(moved(moved(NO_DIVIDER, [old]), [old, first]).beforeId).toBeNull()
  })

  test('appears for messages that arrive while the member looks elsewhere', () => {
    const away = moved(moved(NO_DIVIDER, [old]), [old, first], false)
    expect(away.beforeId).toBe('first')
    expect(moved(away, [old, first, second], false).beforeId).toBe('first')
    // The member has seen the first message meanwhile.
    expect(moved(away, [old, { ...first, read: true }, second], false).beforeId).toBe('second')
  })

  test('disappears after a new own message', () => {
    const opened = moved(NO_DIVIDER, [old, first])
    expect(moved(opened, [old, first, own])).toMatchObject({ beforeId: null, lastId: 'own' })
    expect(moved(NO_DIVIDER, [own, first]).beforeId).toBe('first')
    expect(moved(NO_DIVIDER, [first, own]).beforeId).toBeNull()
  })

  test('comes from the own mark, whatever the messages show to their sender, and does not move with it', () => {
    const messages = [old, first, second].map((each) => ({ ...each, read: false }))
    const shown = { messages, hasOlder: true, me: ME, isLooking: true }
    const opened = nextDivider(NO_DIVIDER, { ...shown, mark: markAt(first) })
    expect(opened).toMatchObject({ beforeId: 'second', isMore: false })
    expect(nextDivider(opened, { ...shown, mark: markAt(second) })).toBe(opened)
    expect(nextDivider(NO_DIVIDER, { ...shown, mark: markAt(second) }).beforeId).toBeNull()
    // The message at the mark is gone, or of the same time.
    const gone = { ...shown, messages: [old, second] }
    expect(nextDivider(NO_DIVIDER, { ...gone, mark: markAt(first) }).beforeId).toBe('second')
    const [a, c] = [message('a', 1), message('c', 1)]
    const equal = { ...shown, messages: [a, c] }
    expect(nextDivider(NO_DIVIDER, { ...equal, mark: markAt(message('b', 1)) }).beforeId).toBe('c')
  })

  test('is absent without messages', () => {
    expect(moved(NO_DIVIDER, [])).toBe(NO_DIVIDER)
  })
})

test('MSG-12 counts unseen messages without the own ones', () => {
  expect(receivedAfter([old, first, own, second], 'old', ME)).toEqual([first, second])
  expect(receivedAfter([old, first], 'first', ME)).toEqual([])
  expect(receivedAfter([own, first], null, ME)).toEqual([first])
})

test('MSG-12 seen messages stay seen after scrolling up', () => {
  expect(laterId([old, first, second], 'first', 'second')).toBe('second')
  expect(laterId([old, first, second], 'second', 'old')).toBe('second')
  expect(laterId([old, first], null, 'old')).toBe('old')
  expect(laterId([old, first], 'gone', null)).toBeNull()
})
