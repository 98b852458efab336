import { expect, test } from 'vitest'
import { canEdit } from '#/renderer/features/messages/model/editing'
import { withUpdates } from '#/renderer/features/messages/model/history'
import { ME, message } from '#tests/renderer/messages/messages'

const MINUTE = 60_000

test('MSG-14 a member can edit their own text for fifteen minutes', () => {
  const own = message('a', 0, { sender_id: ME })
  const sentAt = Date.parse(own.created_at)
  expect(canEdit(own, ME, sentAt + 14 * MINUTE)).toBe(true)
  expect(canEdit(own, ME, sentAt + 15 * MINUTE)).toBe(false)
  for (const values of [{ content: '' }, { deleted_at: own.created_at }])
    expect(canEdit({ ...own, ...values }, ME, sentAt)).toBe(false)
  expect(canEdit(message('b', 0), ME, sentAt)).toBe(false)
})

test('MSG-14 a version from before an edit does not undo it, and unsending does', () => {
  const before = message('a', 0, { content: 'Wensday' })
  const edited = { ...before, content: 'Wednesday', edited_at: '2026-11-21T12:05:00+00:00' }
  const later = { ...edited, content: 'Thursday', edited_at: '2026-11-21T12:06:00+00:00' }
  const shown = (...updates: (typeof before)[]) =>
    withUpdates({ messages: [before], hasOlder: false }, updates).messages[0]?.content
  expect(shown(edited, before)).toBe('Wednesday')
  expect(shown(later, edited)).toBe('Thursday')
  expect(shown(edited, later)).toBe('Thursday')
  expect(shown(edited, { ...before, content: '', deleted_at: '2026-11-21T12:07:00Z' })).toBe('')
})
