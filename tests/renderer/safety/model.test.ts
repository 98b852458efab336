import { expect, test } from 'vitest'
import { withoutMember } from '#/renderer/lib/disk-cache/forget-member'

const blocked = { id: 'gone', username: 'gone.name' }

test('SAFE-01 a list loses the rows of a blocked member, whichever column identifies them', () => {
  const rows = [
    { id: 'a', user_id: 'gone' },
    { id: 'b', actor_id: 'kept' },
    { id: 'gone', username: 'gone.name' },
    { id: 'c', author: { username: 'gone.name' } },
    { id: 'd', author: { username: 'kept' } },
  ]
  expect(withoutMember(rows, blocked)).toEqual([rows[1], rows[4]])
})

test('SAFE-01 a page keeps its cursor, even if the cursor is the id of the blocked member', () => {
  const cursor = { createdAt: '2026-01-01', id: 'gone' }
  const data = {
    pages: [{ people: [{ id: 'gone' }, { id: 'kept' }], next: cursor }],
    pageParams: [null, cursor],
  }
  expect(withoutMember(data, blocked)).toEqual({
    pages: [{ people: [{ id: 'kept' }], next: cursor }],
    pageParams: [null, cursor],
  })
})

test('SAFE-01 data about the blocked member alone becomes null, and data without rows stays', () => {
  expect(withoutMember({ id: 'post', user_id: 'gone' }, blocked)).toBeNull()
  for (const data of [null, 3, 'gone by', false, new Map([['gone', 1]])])
    expect(withoutMember(data, blocked)).toBe(data)
})

test('SAFE-01 blocking a member without a visible username keeps rows of other nameless members', () => {
  const rows = [{ id: 'a', author: { username: '' } }]
  expect(withoutMember(rows, { id: 'gone', username: '' })).toEqual(rows)
})
