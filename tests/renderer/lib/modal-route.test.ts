import { expect, test } from 'vitest'
import { modalLink, readModalParam, withModalParam } from '#/renderer/lib/modal-route'

const at = (search: string, state: unknown) => ({
  pathname: '/profile/mara',
  search,
  hash: '',
  key: 'k',
  state,
})

test('PROF-12 a list opens over the page: the rest of the address and of its entry stays', () => {
  const posts = { posts: ['one', 'two'] }
  expect(modalLink(at('?tab=saved&post=one', posts), 'likes', 'one')).toEqual({
    to: { search: '?tab=saved&post=one&likes=one' },
    state: { ...posts, over: 'likes' },
  })
})

test('PROF-12 a second list takes the place of the first', () => {
  expect(modalLink(at('?people=followers', null), 'people', 'following')).toEqual({
    to: { search: '?people=following' },
    state: { over: 'people' },
  })
})

test('what is over the page is read from the address by its whole name, and taken out of it again', () => {
  expect(readModalParam('?tab=saved&likes=one', 'likes')).toBe('one')
  expect(readModalParam('?tab=saved&mylikes=one', 'likes')).toBeNull()
  expect(withModalParam('?tab=saved&likes=one', 'likes', null)).toBe('?tab=saved')
  expect(withModalParam('?likes=one', 'likes', null)).toBe('')
})
