import { describe, expect, test } from 'vitest'
import { photoBox } from '#/renderer/features/messages/components/MessagePhoto'
import type { Message } from '#/renderer/features/messages/message'
import type { Group, Pair } from '#/renderer/features/messages/model/conversation'
import {
  afterMark,
  afterMessage,
  goneConversation,
  isOpen,
  listPreview,
  previewOf,
  previewText,
  summarize,
  writerOf,
} from '#/renderer/features/messages/model/conversation'
import type { Delivery } from '#/renderer/features/messages/model/timeline'
import { ME, markAt, message } from '../messages'

function conversation(id: string, minute: number): Pair {
  const latest = message(`last of ${id}`, minute)
  return {
    id,
    kind: 'pair',
    other: null,
    otherId: 'other',
    epoch: 0,
    hasOtherWritten: true,
    lastMessageAt: latest.created_at,
    latest,
    isUnread: false,
    mark: markAt(latest),
    folder: 'inbox',
    isPinned: false,
    deliveredAt: null,
    isGone: false,
  }
}

test('MSG-01 MSG-11 a preview and a quote have the beginning of a long message', () => {
  const long = message('long', 1, { content: '\u{1f39e} '.repeat(1_500) })
  expect([...previewOf(long)]).toEqual([...'\u{1f39e} '.repeat(150), '…'])
  expect([...previewText(long, 'somebody else')]).toHaveLength(301)
  // A screen reader hears all of it.
  expect([...summarize(long)]).toHaveLength(2_999)
  expect(previewOf(message('short', 1, { content: 'a\n b' }))).toBe('a b')
})

describe('MSG-01 the list', () => {
  test('MSG-07 a new message moves its conversation and leaves it unread', () => {
    const moved = afterMessage(conversation('a', 1), message('new', 4, { read: false }), ME)
    expect(moved.latest?.id).toBe('new')
    expect(moved.lastMessageAt).toBe(message('new', 4).created_at)
    expect(moved.isUnread).toBe(true)
    expect(afterMessage(conversation('a', 1), message('own', 4, { sender_id: ME }), ME).isUnread).toBe(false)
  })

  test('MSG-07 is unread by the own mark, which another device raises', () => {
    const [old, next] = [message('old', 2, { read: false }), message('new', 4, { read: false })]
    const read = { ...conversation('a', 1), mark: markAt(old) }
    // One that was read and is edited, while its sender does not see that it was read.
    expect(afterMessage(read, old, ME)).toMatchObject({ isUnread: false, mark: markAt(old) })
    const unread = afterMessage(read, next, ME)
    expect(afterMark(unread, old, ME)).toMatchObject({ isUnread: true, mark: markAt(old) })
    expect(afterMark(unread, next, ME)).toMatchObject({ isUnread: false, mark: markAt(next) })
    expect(afterMessage(read, { ...next, read: true }, ME)).toMatchObject({
      isUnread: false,
      mark: markAt(next),
    })
  })

  test('SET-05 opens the channel once the other member has written', () => {
    const started = { ...conversation('a', 1), hasOtherWritten: false }
    const own = message('own', 4, { sender_id: ME })
    expect(afterMessage(started, own, ME)).toMatchObject({ hasOtherWritten: false })
    expect(afterMessage(started, message('new', 4, { sender_id: 'other' }), ME)).toMatchObject({
      hasOtherWritten: true,
    })
    expect(afterMessage(conversation('a', 1), own, ME)).toMatchObject({ hasOtherWritten: true })
  })

  test('ignores a change of an older message', () => {
    const before = conversation('a', 5)
    expect(afterMessage(before, message('old', 1), ME)).toEqual(before)
  })

  test('shows that the last message was unsent', () => {
    const before = conversation('a', 5)
    const takenBack = message('last of a', 5, { content: '', deleted_at: '2026-11-21T13:00:00Z' })
    expect(previewText(afterMessage(before, takenBack, ME).latest, ME)).toBe('Message deleted')
  })

  test('MSG-10 keeps an unsent last message when an older version arrives late', () => {
    const unsent = afterMessage(
      conversation('a', 5),
      message('last of a', 5, { content: '', deleted_at: '2026-11-21T13:00:00Z' }),
      ME,
    )
    expect(afterMessage(unsent, message('last of a', 5), ME).latest).toEqual(unsent.latest)
  })
})

test.each([
  [null, 'No messages yet'],
  [message('a', 0, { content: 'Two\n\nlines ' }), 'Two lines'],
  [message('a', 0, { content: 'Hello', sender_id: ME }), 'You: Hello'],
  [message('a', 0, { content: '', media_id: 'p' }), 'Photo'],
  [message('a', 0, { content: '', media_id: 'p', sender_id: ME }), 'You: Photo'],
  [message('a', 0, { content: '', shared_kind: 'post' }), 'Sent a post'],
  [message('a', 0, { content: '', shared_kind: 'post', sender_id: ME }), 'You sent a post'],
  [message('a', 0, { content: '', shared_kind: 'story', sender_id: ME }), 'You sent a story'],
  [message('a', 0, { content: 'For you', shared_kind: 'profile', sender_id: ME }), 'You: For you'],
  [message('a', 0, { content: 'So good', answers_story: true }), 'Replied to your story'],
  [message('a', 0, { content: 'So good', answers_story: true, sender_id: ME }), 'You replied to their story'],
])('MSG-01 the last message in a line: %#', (latest, line) => {
  expect(previewText(latest, ME)).toBe(line)
})

describe('a group', () => {
  const {
    kind: _,
    other: _other,
    otherId: _id,
    hasOtherWritten: _wrote,
    deliveredAt: _at,
    ...listed
  } = conversation('g', 1)
  const group: Group = { ...listed, kind: 'group', name: 'Harbour', picturePath: null, writes: true }

  test('MSG-07 is unread by messages of all others, until the mark is at the last one', () => {
    const sent = (id: string, minute: number, sender_id: string) =>
      message(id, minute, { sender_id, read: false })
    const [second, third] = [sent('b', 4, 'ben'), sent('c', 5, 'cleo')]
    const unread = afterMessage(afterMessage(group, second, ME), third, ME)
    expect(unread).toMatchObject({ kind: 'group', isUnread: true, latest: { id: 'c' } })
    expect(unread).not.toHaveProperty('hasOtherWritten')
    expect(afterMark(unread, second, ME)).toMatchObject({ isUnread: true })
    expect(afterMark(unread, third, ME)).toMatchObject({ isUnread: false })
  })

  test('MSG-04 is for writing while this member is in it', () => {
    expect(isOpen(group)).toBe(true)
    expect(isOpen({ ...group, writes: false })).toBe(false)
    const gone = goneConversation('g', { ...group, isPinned: true })
    expect(gone).toMatchObject({ kind: 'group', name: 'Harbour', isPinned: false, isGone: true })
    expect(isOpen(gone)).toBe(false)
  })

  test('MSG-01 names who wrote the last message, but not this member', () => {
    const latest = message('a', 0, { sender_id: 'ben', content: 'Hello' })
    expect(writerOf({ ...group, latest }, ME)).toBe('ben')
    expect(writerOf({ ...group, latest: { ...latest, sender_id: ME } }, ME)).toBe(null)
    expect(writerOf({ ...group, latest: null }, ME)).toBe(null)
    expect(writerOf({ ...conversation('a', 1), latest }, ME)).toBe(null)
    expect(previewText(latest, ME, 'ben')).toBe('ben: Hello')
    expect(previewText({ ...latest, content: '', shared_kind: 'post' }, ME, 'ben')).toBe('ben: Sent a post')
    expect(previewText({ ...latest, content: '', deleted_at: '2026-11-21T13:00:00Z' }, ME, 'ben')).toBe(
      'Message deleted',
    )
  })
})

describe('MSG-01 MSG-09 the preview with pending messages', () => {
  const latest = message('a', 0, { content: 'Earlier' })
  const own = (id: string, delivery: Delivery) => ({
    message: message(id, 5, { content: id, sender_id: ME }),
    delivery,
  })
  const line = (outgoing: ReturnType<typeof own>[], draft = '', last: Message | null = latest) =>
    Object.values(listPreview({ latest: last, outgoing, draft, writer: '' }, ME))

  test('shows the last pending message and its state', () => {
    expect(line([])).toEqual(['said', 'Earlier'])
    expect(line([own('b', 'waiting'), own('c', 'waiting')])).toEqual(['waiting', 'You: c'])
    expect(line([own('b', 'sending')], '', null)).toEqual(['sending', 'You: b'])
  })

  test('prefers a refused message to a draft, and a draft to a pending message', () => {
    expect(line([own('b', 'waiting')], 'Half a line')).toEqual(['draft', 'Draft: Half a line'])
    expect(line([own('b', 'refused'), own('c', 'sending')], 'Half a line')).toEqual(['refused', 'You: b'])
  })

  test('shows a stored message as sent although the outbox still has it', () => {
    expect(line([own('b', 'sending')], '', message('b', 6, { content: 'b', sender_id: ME }))).toEqual([
      'said',
      'You: b',
    ])
  })
})

test('quotes a photo with text by its text', () => {
  expect(summarize(message('a', 0, { content: 'Like this', media_id: 'p' }))).toBe('Like this')
})

test.each([
  [1440, 960, 280, 187],
  [960, 1440, 213, 320],
  [100, 80, 100, 80],
  [1440, 40, 280, 72],
])('MSG-11 the box of a photo of %d × %d is known before it', (width, height, boxWidth, boxHeight) => {
  expect(photoBox(width, height)).toEqual({ width: boxWidth, height: boxHeight })
})
