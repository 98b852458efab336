import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type History,
  hasGap,
  isUnreadBy,
  mayMissUnread,
  trimmed,
  UNREAD_MOST,
  withHeard,
  withMessages,
  withNewest,
  withOlder,
  withRead,
} from '#/renderer/features/messages/history'
import { ME, message } from './messages'

function ids({ messages }: History): string[] {
  return messages.map(({ id }) => id)
}

const begun: History = { messages: [message('c', 3), message('d', 4)], hasOlder: true }

describe('MSG-08 MSG-12 a conversation as far as it was read', () => {
  test('holds each message once, oldest first, whatever the order they come in', () => {
    const history = withMessages(begun, [message('f', 6), message('c', 3), message('e', 5)])
    expect(ids(history)).toEqual(['c', 'd', 'e', 'f'])
    expect(withMessages(begun, [])).toBe(begun)
  })

  test('is the same in whatever order, and however often, its messages are told', () => {
    const given = fc.uniqueArray(
      fc.record({ id: fc.stringMatching(/^[a-f0-9]{4}$/), minute: fc.integer({ min: 0, max: 59 }) }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(given, fc.infiniteStream(fc.nat()), (rows, picks) => {
        const all = rows.map(({ id, minute }) => message(id, minute))
        const empty: History = { messages: [], hasOlder: false }
        let history = empty
        for (let told = 0; told < 2 * all.length; told += 1) {
          const next = all[picks.next().value % all.length]
          if (next !== undefined) history = withHeard(history, [next])
        }
        history = withNewest(history, all, true)
        expect(history).toMatchObject(withMessages(empty, all))
        expect(new Set(ids(history)).size).toBe(all.length)
      }),
    )
  })

  test('orders messages of one moment by id, as the server pages them', () => {
    expect(ids(withMessages(begun, [message('b', 4), message('a', 4)]))).toEqual(['c', 'a', 'b', 'd'])
  })

  test('takes pages above until there is none', () => {
    const more = withOlder(begun, [message('b', 2), message('a', 1)], false)
    expect(ids(more)).toEqual(['a', 'b', 'c', 'd'])
    expect(more.hasOlder).toBe(true)
    expect(withOlder(more, [], true).hasOlder).toBe(false)
  })

  test('a read from the newest on keeps what is known above it', () => {
    const history = withNewest(begun, [message('e', 5), message('d', 4)], false)
    expect(ids(history)).toEqual(['c', 'd', 'e'])
    expect(history.hasOlder).toBe(true)
    expect(withNewest(undefined, [message('e', 5)], true)).toMatchObject({ hasOlder: false })
    expect(withNewest({ ...begun, hasOlder: false }, [message('e', 5)], false).hasOlder).toBe(false)
  })

  test('tells a read from all else that changes it, also after it was trimmed', () => {
    const read = withNewest(begun, [message('e', 5)], false)
    expect([begun.reads, read.reads, withNewest(read, [], false).reads]).toEqual([undefined, 1, 2])
    expect([withHeard(read, [message('f', 6)]).reads, trimmed(read, 1).reads]).toEqual([1, 1])
  })

  test('a read from the newest on goes down to what is known, and to the beginning when that was nothing', () => {
    const newest = [message('f', 6), message('e', 5)]
    expect(hasGap(begun, newest, false)).toBe(true)
    expect(hasGap(begun, newest, true)).toBe(false)
    expect(hasGap(begun, [...newest, ...begun.messages.toReversed()], false)).toBe(false)
    expect(hasGap(undefined, newest, false)).toBe(false)
    expect(hasGap({ messages: [], hasOlder: false }, newest, false)).toBe(true)
    expect(hasGap({ messages: [], hasOlder: false }, newest, true)).toBe(false)
  })

  test('MSG-12 is read on as long as all of it is unread: where the unread begin is further up', () => {
    const unread = [message('f', 6, { read: false }), message('e', 5, { read: false })]
    expect(mayMissUnread(unread, false, ME)).toBe(true)
    expect(mayMissUnread(unread, true, ME)).toBe(false)
    expect(mayMissUnread([...unread, message('d', 4)], false, ME)).toBe(false)
    // Who answered has seen what was there.
    expect(mayMissUnread([...unread, message('d', 4, { sender_id: ME, read: false })], false, ME)).toBe(false)
    expect(mayMissUnread([], false, ME)).toBe(false)
    // Thousands would all have to come before the first one shows.
    const many = Array.from({ length: UNREAD_MOST }, (_, index) => message(`${index}`, 0, { read: false }))
    expect(mayMissUnread(many.slice(1), false, ME)).toBe(true)
    expect(mayMissUnread(many, false, ME)).toBe(false)
  })

  test('what is heard of an older message waits for its page, a gap would be behind it', () => {
    expect(ids(withHeard(begun, [message('a', 1), message('e', 5)]))).toEqual(['c', 'd', 'e'])
    expect(ids(withHeard({ ...begun, hasOlder: false }, [message('a', 1)]))).toEqual(['a', 'c', 'd'])
    expect(ids(withHeard({ messages: [], hasOlder: false }, [message('a', 1)]))).toEqual(['a'])
  })

  test('an answer that is late does not undo what can happen only once', () => {
    const known = withMessages(begun, [
      message('d', 4, { content: '', deleted_at: '2026-11-21T12:10:00Z' }),
      message('c', 3, { read: true, read_at: '2026-11-21T12:10:00Z' }),
    ])
    const late = withMessages(known, [message('d', 4), message('c', 3, { read: false })])
    expect(late.messages[0]).toMatchObject({ read: true, read_at: '2026-11-21T12:10:00Z' })
    expect(late.messages[1]).toMatchObject({ content: '', deleted_at: '2026-11-21T12:10:00Z' })
  })

  test('reactions are those told last', () => {
    const told = withMessages(begun, [message('d', 4, { sender_reaction: '🔥' })])
    expect(withMessages(told, [message('d', 4)]).messages[1]?.sender_reaction).toBeNull()
  })

  test('keeps the newest of what is not shown, and knows that there is more', () => {
    const history: History = { messages: [message('a', 1), ...begun.messages], hasOlder: false }
    expect(trimmed(history, 2)).toEqual({ messages: begun.messages, hasOlder: true })
    expect(trimmed(history, 3)).toBe(history)
  })

  test('what came to oneself is unread until it is marked, and only what was marked is read', () => {
    const unread = message('e', 5, { read: false })
    const own = message('f', 6, { read: false, sender_id: ME })
    expect(isUnreadBy(unread, ME)).toBe(true)
    expect(isUnreadBy(own, ME)).toBe(false)
    expect(isUnreadBy({ ...unread, deleted_at: '2026-11-21T12:10:00Z' }, ME)).toBe(false)
    const read = withRead(
      { messages: [unread, own, message('g', 7, { read: false })], hasOlder: false },
      new Set(['e']),
    )
    expect(read.messages.map((each) => each.read)).toEqual([true, false, false])
  })
})
