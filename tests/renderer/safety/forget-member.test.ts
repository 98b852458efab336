import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { forgetMember, withoutMember } from '#/renderer/features/safety/forget-member'

const gone = { id: 'gone', username: 'gone.name' }

test('SAFE-01 rows of a member leave every list, whichever column names them', () => {
  const rows = [
    { id: 'a', user_id: 'gone' },
    { id: 'b', actor_id: 'kept' },
    { id: 'gone', username: 'gone.name' },
    { id: 'c', author: { username: 'gone.name' } },
    { id: 'd', author: { username: 'kept' } },
  ]
  expect(withoutMember(rows, gone)).toEqual([rows[1], rows[4]])
})

test('SAFE-01 pages go on from where they were, also when a cursor names the member', () => {
  const cursor = { createdAt: '2026-01-01', id: 'gone' }
  const data = {
    pages: [{ people: [{ id: 'gone' }, { id: 'kept' }], next: cursor }],
    pageParams: [null, cursor],
  }
  expect(withoutMember(data, gone)).toEqual({
    pages: [{ people: [{ id: 'kept' }], next: cursor }],
    pageParams: [null, cursor],
  })
})

test('SAFE-01 what is about the member alone becomes nothing, and what has no rows stays', () => {
  expect(withoutMember({ id: 'post', user_id: 'gone' }, gone)).toBeNull()
  for (const data of [null, 3, 'gone by', false]) expect(withoutMember(data, gone)).toBe(data)
})

test('SAFE-01 a member without a name, who blocks one too, does not take nameless rows along', () => {
  const rows = [{ id: 'a', author: { username: '' } }]
  expect(withoutMember(rows, { id: 'gone', username: '' })).toEqual(rows)
})

test('SAFE-01 a cache forgets the member but keeps conversations, and can be brought back', async () => {
  const client = new QueryClient()
  const post = { id: 'p', user_id: 'gone' }
  const conversations = [{ id: 'c', otherId: 'gone' }]
  client.setQueryData(['post', 'p'], post)
  client.setQueryData(['conversations', 'list'], conversations)
  const restore = await forgetMember(client, gone)
  expect(client.getQueryData(['post', 'p'])).toBeNull()
  expect(client.getQueryData(['conversations', 'list'])).toEqual(conversations)
  restore()
  expect(client.getQueryData(['post', 'p'])).toEqual(post)
})
