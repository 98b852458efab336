import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { findKnownMember } from '#/renderer/features/profile/known-member'

const mara = { id: 'm', username: 'mara', full_name: 'Mara Voss', avatar_url: null, avatar_path: 'm/a.webp' }
const known = { username: 'mara', full_name: 'Mara Voss', avatar_url: null, avatar_path: 'm/a.webp' }

test.each<[string, unknown]>([
  ['the author of a post', { id: 'p', content: 'Fog', author: mara }],
  ['a search', [{ ...mara, id: 'other', username: 'marah' }, mara]],
  ['a page of a list', { pages: [{ members: [mara] }], pageParams: [null] }],
])('PROF-01 name and picture of a member are known from %s', (_where, data) => {
  const client = new QueryClient()
  client.setQueryData(['something'], 7)
  client.setQueryData(['loaded'], data)
  expect(findKnownMember(client, 'mara')).toEqual(known)
  expect(findKnownMember(client, 'nobody')).toBeNull()
})

test('PROF-01 a mention of the name is not the member', () => {
  const client = new QueryClient()
  client.setQueryData(['post'], { content: 'mara', username: 'mara' })
  expect(findKnownMember(client, 'mara')).toBeNull()
})
