import { describe, expect, test } from 'vitest'
import { type Divider, NO_DIVIDER, nextDivider } from '#/renderer/features/messages/divider'
import { laterOf, othersAfter } from '#/renderer/features/messages/unseen'
import { texts } from '#/renderer/lib/texts'
import { ME, message } from './messages'

const old = message('old', 0)
const first = message('first', 1, { read: false })
const second = message('second', 2, { read: false })
const own = message('own', 3, { sender_id: ME, read: false })

function moved(divider: Divider, messages: (typeof old)[], isLooking = true): Divider {
  return nextDivider(divider, { messages, hasOlder: true, me: ME, isLooking })
}

function opening(divider: Divider, messages: (typeof old)[]): Divider {
  return nextDivider(divider, { messages, hasOlder: true, me: ME, isLooking: true, isOpening: true })
}

describe('MSG-12 the unread divider', () => {
  test('stands above the first message that was unread when the conversation was opened', () => {
    expect(moved(NO_DIVIDER, [old, first, second]).beforeId).toBe('first')
    expect(moved(NO_DIVIDER, [old]).beforeId).toBeNull()
  })

  test('says when there are more above it than were read, and does not once the rest is there', () => {
    const opened = moved(NO_DIVIDER, [first, second])
    expect(opened).toMatchObject({ beforeId: 'first', isMore: true })
    // What comes in above leaves it where it is, and right.
    expect(moved(opened, [message('older', -1), first, second])).toBe(opened)
    expect(moved(NO_DIVIDER, [old, first, second]).isMore).toBe(false)
    const whole = { messages: [first, second], hasOlder: false, me: ME, isLooking: true }
    expect(nextDivider(NO_DIVIDER, whole)).toMatchObject({ beforeId: 'first', isMore: false })
    expect(texts.messages.newMessages(1_000, true)).toBe('1,000+ new messages')
    expect(texts.messages.newMessages(1, false)).toBe('1 new message')
  })

  test('stays while one reads, and as older messages come in above', () => {
    const opened = moved(NO_DIVIDER, [old, first])
    expect(moved(opened, [message('older', -1), old, { ...first, read: true }])).toBe(opened)
    expect(moved(opened, [old, { ...first, read: true }, second]).beforeId).toBe('first')
  })

  test('stands above what the first read brings to what was known, and above what was heard before that read', () => {
    const opened = opening(opening(NO_DIVIDER, [old]), [old, first])
    expect(opened.beforeId).toBe('first')
    // One looks, so the first one is marked as read before the rest is there.
    expect(opening(opened, [old, { ...first, read: true }, second]).beforeId).toBe('first')
    expect(moved(opened, [old, { ...first, read: true }, second]).beforeId).toBe('first')
  })

  test('does not come up for what one sees arrive', () => {
    expect(moved(moved(NO_DIVIDER, [old]), [old, first]).beforeId).toBeNull()
  })

  test('comes up for what arrives while one looks elsewhere', () => {
    const away = moved(moved(NO_DIVIDER, [old]), [old, first], false)
    expect(away.beforeId).toBe('first')
    expect(moved(away, [old, first, second], false).beforeId).toBe('first')
    // The first one was looked at meanwhile.
    expect(moved(away, [old, { ...first, read: true }, second], false).beforeId).toBe('second')
  })

  test('one’s own answer takes it away, one of earlier does not', () => {
    const opened = moved(NO_DIVIDER, [old, first])
    expect(moved(opened, [old, first, own])).toMatchObject({ beforeId: null, lastId: 'own' })
    expect(moved(NO_DIVIDER, [own, first]).beforeId).toBe('first')
    expect(moved(NO_DIVIDER, [first, own]).beforeId).toBeNull()
  })

  test('is not there without messages', () => {
    expect(moved(NO_DIVIDER, [])).toBe(NO_DIVIDER)
  })
})

test('MSG-12 what came in below is counted without one’s own', () => {
  expect(othersAfter([old, first, own, second], 'old', ME)).toEqual([first, second])
  expect(othersAfter([old, first], 'first', ME)).toEqual([])
  expect(othersAfter([own, first], null, ME)).toEqual([first])
})

test('MSG-12 what was seen does not become less by looking further up', () => {
  expect(laterOf([old, first, second], 'first', 'second')).toBe('second')
  expect(laterOf([old, first, second], 'second', 'old')).toBe('second')
  expect(laterOf([old, first], null, 'old')).toBe('old')
  expect(laterOf([old, first], 'gone', null)).toBeNull()
})
