import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type History,
  hasGap,
  isUnreadBy,
  mayMissUnread,
  raised,
  trimmed,
  UNREAD_MOST,
  withAround,
  withMessages,
  withNewer,
  withNewest,
  withOlder,
  withoutAround,
  withoutCleared,
  withUpdates,
} from '#/renderer/features/messages/model/history'
import { ME, markAt, message, NO_MARK } from '../messages'

function ids({ messages }: History): string[] {
  return messages.map(({ id }) => id)
}

const loaded: History = { messages: [message('c', 3), message('d', 4)], hasOlder: true }

describe('MSG-08 MSG-12 the loaded part of a conversation', () => {
  test('holds each message once, oldest first, in any order of arrival', () => {
    const history = withMessages(loaded, [message('f', 6), message('c', 3), message('e', 5)])
    expect(ids(history)).toEqual(['c', 'd', 'e', 'f'])
    expect(withMessages(loaded, [])).toBe(loaded)
  })

  test('is the same for any order and repetition of live events', () => {
    const given = fc.uniqueArray(
      fc.record({ id: fc.stringMatching(/^[a-f0-9]{4}$/), minute: fc.integer({ min: 0, max: 59 }) }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(given, fc.infiniteStream(fc.nat()), (rows, picks) => {
        const all = rows.map(({ id, minute }) => message(id, minute))
        const empty: History = { messages: [], hasOlder: false }
        let history = empty
        for (let update = 0; update < 2 * all.length; update += 1) {
          const next = all[picks.next().value % all.length]
          if (next !== undefined) history = withUpdates(history, [next])
        }
        history = withNewest(history, all, true)
        expect(history).toMatchObject(withMessages(empty, all))
        expect(new Set(ids(history)).size).toBe(all.length)
      }),
    )
  })

  test('orders messages of the same time by id, like the pages of the server', () => {
    expect(ids(withMessages(loaded, [message('b', 4), message('a', 4)]))).toEqual(['c', 'a', 'b', 'd'])
  })

  test('adds older pages until there are none', () => {
    const more = withOlder(loaded, message('c', 3), [message('b', 2), message('a', 1)], false)
    expect(ids(more)).toEqual(['a', 'b', 'c', 'd'])
    expect(more.hasOlder).toBe(true)
    expect(withOlder(more, message('a', 1), [], true).hasOlder).toBe(false)
    // Those before a message further up, which is no longer shown, would leave a gap.
    expect(withOlder(loaded, message('a', 1), [message('_', 0)], true)).toBe(loaded)
  })

  test('keeps older messages when the newest are fetched', () => {
    const history = withNewest(loaded, [message('e', 5), message('d', 4)], false)
    expect(ids(history)).toEqual(['c', 'd', 'e'])
    expect(history.hasOlder).toBe(true)
    expect(withNewest(undefined, [message('e', 5)], true)).toMatchObject({ hasOlder: false })
    expect(withNewest({ ...loaded, hasOlder: false }, [message('e', 5)], false).hasOlder).toBe(false)
  })

  test('counts fetches, but no other changes, also after trimming', () => {
    const read = withNewest(loaded, [message('e', 5)], false)
    expect(loaded.fetch).toBeUndefined()
    expect(read.fetch).toBeTypeOf('symbol')
    expect(withNewest(read, [], false).fetch).not.toBe(read.fetch)
    expect([withUpdates(read, [message('f', 6)]).fetch, trimmed(read, 1).fetch]).toEqual([
      read.fetch,
      read.fetch,
    ])
    // Messages from disk have not been fetched since the start.
    expect(JSON.parse(JSON.stringify(read))).not.toHaveProperty('fetch')
  })

  test('has a gap until the fetched messages reach the known ones, or the beginning if there were none', () => {
    const newest = [message('f', 6), message('e', 5)]
    expect(hasGap(loaded, newest, false)).toBe(true)
    expect(hasGap(loaded, newest, true)).toBe(false)
    expect(hasGap(loaded, [...newest, ...loaded.messages.toReversed()], false)).toBe(false)
    expect(hasGap(undefined, newest, false)).toBe(false)
    expect(hasGap({ messages: [], hasOlder: false }, newest, false)).toBe(true)
    expect(hasGap({ messages: [], hasOlder: false }, newest, true)).toBe(false)
  })

  test('MSG-12 fetches more while all messages are unread, because the first unread message is older', () => {
    const unread = [message('f', 6), message('e', 5)]
    const mark = markAt(message('d', 4))
    expect(mayMissUnread(unread, false, ME, mark)).toBe(true)
    expect(mayMissUnread(unread, true, ME, mark)).toBe(false)
    expect(mayMissUnread([...unread, message('d', 4)], false, ME, mark)).toBe(false)
    // A member who answered has seen the earlier messages.
    expect(mayMissUnread([...unread, message('d', 4, { sender_id: ME })], false, ME, NO_MARK)).toBe(false)
    expect(mayMissUnread([], false, ME, mark)).toBe(false)
    // Otherwise thousands would be loaded before the first one shows.
    const many = Array.from({ length: UNREAD_MOST }, (_, index) => message(`${index}`, 0, { read: false }))
    expect(mayMissUnread(many.slice(1), false, ME, NO_MARK)).toBe(true)
    expect(mayMissUnread(many, false, ME, NO_MARK)).toBe(false)
  })

  test('ignores live events of older messages until their page is loaded', () => {
    expect(ids(withUpdates(loaded, [message('a', 1), message('e', 5)]))).toEqual(['c', 'd', 'e'])
    expect(ids(withUpdates({ ...loaded, hasOlder: false }, [message('a', 1)]))).toEqual(['a', 'c', 'd'])
    expect(ids(withUpdates({ messages: [], hasOlder: false }, [message('a', 1)]))).toEqual(['a'])
  })

  test('an outdated response does not revert a read or unsent message', () => {
    const known = withMessages(loaded, [
      message('d', 4, { content: '', deleted_at: '2026-11-21T12:10:00Z' }),
      message('c', 3, { read: true, read_at: '2026-11-21T12:10:00Z' }),
    ])
    const late = withMessages(known, [message('d', 4), message('c', 3, { read: false })])
    expect(late.messages[0]).toMatchObject({ read: true, read_at: '2026-11-21T12:10:00Z' })
    expect(late.messages[1]).toMatchObject({ content: '', deleted_at: '2026-11-21T12:10:00Z' })
  })

  test('takes reactions from the last update', () => {
    const reacted = withMessages(loaded, [message('d', 4, { reactions: [{ member_id: ME, emoji: '🔥' }] })])
    expect(withMessages(reacted, [message('d', 4)]).messages[1]?.reactions).toEqual([])
    // What a write returns and a live row brings has none.
    const { reactions: _, ...stored } = message('d', 4, { content: 'edited' })
    expect(withMessages(reacted, [stored]).messages[1]).toMatchObject({
      content: 'edited',
      reactions: [{ member_id: ME, emoji: '🔥' }],
    })
    expect(
      withMessages(loaded, [{ ...stored, id: 'e' }]).messages.find(({ id }) => id === 'e')?.reactions,
    ).toEqual([])
  })

  test('keeps only the newest messages when trimmed, and knows that there are older ones', () => {
    const history: History = { messages: [message('a', 1), ...loaded.messages], hasOlder: false }
    expect(trimmed(history, 2)).toEqual({ messages: loaded.messages, hasOlder: true })
    expect(trimmed(history, 3)).toBe(history)
  })

  test('counts received messages as unread until they are marked as read', () => {
    const unread = message('e', 5, { read: false })
    const own = message('f', 6, { sender_id: ME })
    for (const mark of [NO_MARK, markAt(message('d', 4)), markAt(message('d', 5))]) {
      expect(isUnreadBy(unread, ME, mark)).toBe(true)
      expect(isUnreadBy(own, ME, mark)).toBe(false)
      expect(isUnreadBy({ ...unread, deleted_at: '2026-11-21T12:10:00Z' }, ME, mark)).toBe(false)
    }
    // Whatever it shows to its sender.
    for (const mark of [markAt(unread), markAt(message('f', 5))])
      expect(isUnreadBy(unread, ME, mark)).toBe(false)
  })

  test('a mark is only raised', () => {
    const [d, e] = [message('d', 4), message('e', 4)]
    expect(raised(NO_MARK, d)).toEqual(markAt(d))
    expect(raised(markAt(d), e)).toEqual(markAt(e))
    expect(raised(markAt(e), d)).toEqual(markAt(e))
  })
})

describe('MSG-14 a stretch around a message further up', () => {
  const newest: History = {
    messages: [message('x', 50), message('y', 51)],
    hasOlder: true,
    fetch: Symbol('fetch'),
  }
  const stretch = (...minutes: number[]) => ({
    messages: minutes.map((minute) => message(`m${minute}`, minute)),
    hasOlder: true,
  })
  const shown = withAround(newest, stretch(20, 21), false)
  const idsAround = ({ around }: History) => around?.messages.map(({ id }) => id)

  test('stands apart from the newest messages, and grows in both directions', () => {
    expect([ids(shown), idsAround(shown)]).toEqual([
      ['x', 'y'],
      ['m20', 'm21'],
    ])
    const older = withOlder(shown, message('m20', 20), [message('m19', 19)], true)
    expect([older.hasOlder, older.around?.hasOlder, idsAround(older)]).toEqual([
      true,
      false,
      ['m19', 'm20', 'm21'],
    ])
    // A page above the newest messages, which was requested before.
    expect(idsAround(withOlder(shown, message('x', 50), [message('m49', 49)], false))).toEqual(['m20', 'm21'])
    const newer = withNewer(older, [message('m22', 22)], false)
    expect([ids(newer), idsAround(newer)]).toEqual([
      ['x', 'y'],
      ['m19', 'm20', 'm21', 'm22'],
    ])
  })

  test('joins the newest messages when it reaches them', () => {
    const joined = withNewer(shown, [message('m49', 49), message('x', 50)], false)
    expect([ids(joined), joined.around, joined.hasOlder, joined.fetch]).toEqual([
      ['m20', 'm21', 'm49', 'x', 'y'],
      undefined,
      true,
      newest.fetch,
    ])
    expect(ids(withNewer(shown, [], true))).toEqual(['m20', 'm21', 'x', 'y'])
    expect(ids(withAround(newest, stretch(49, 51), false))).toEqual(['m49', 'x', 'm51', 'y'])
    expect(withNewer(newest, [message('m22', 22)], false)).toBe(newest)
  })

  test('gets changes of its messages, but no other live events', () => {
    const heard = [message('m21', 21, { content: 'edited' }), message('m22', 22), message('z', 52)]
    const updated = withUpdates(shown, heard)
    expect([ids(updated), idsAround(updated)]).toEqual([
      ['x', 'y', 'z'],
      ['m20', 'm21'],
    ])
    expect(updated.around?.messages[1]?.content).toBe('edited')
  })

  test('is gone when the member leaves it, closes the conversation or deletes it', () => {
    expect(withoutAround(shown).around).toBeUndefined()
    expect(withoutAround(newest)).toBe(newest)
    expect(trimmed(shown, 50)).toMatchObject({ messages: newest.messages, around: undefined })
    expect(withoutCleared(shown, message('x', 50).created_at).around).toBeUndefined()
  })
})
