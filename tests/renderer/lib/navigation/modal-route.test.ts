import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  modalLink,
  modalState,
  readModalParam,
  useModalRoute,
  withModalParam,
} from '#/renderer/lib/navigation/modal-route'
import { callHook } from '#tests/renderer/dom'

const router = vi.hoisted(() => ({ location: {}, navigate: vi.fn() }))

vi.mock('react-router-dom', async (load) => ({
  ...(await load<typeof import('react-router-dom')>()),
  useLocation: () => router.location,
  useNavigate: () => router.navigate,
}))

beforeEach(() => {
  router.navigate.mockClear()
})

const at = (search: string, state: unknown) => ({
  pathname: '/profile/mara',
  search,
  hash: '',
  key: 'k',
  state,
})

test('PROF-12 a link opens a list over the page and keeps the other parameters and the state', () => {
  const posts = { posts: ['one', 'two'] }
  expect(modalLink(at('?tab=saved&post=one', posts), 'likes', 'one')).toEqual({
    to: { search: '?tab=saved&post=one&likes=one' },
    state: { ...posts, over: 'likes' },
  })
})

test('PROF-12 a second list replaces the first', () => {
  expect(modalLink(at('?people=followers', null), 'people', 'following')).toEqual({
    to: { search: '?people=following' },
    state: { over: 'people' },
  })
})

test('the open modal is read from its parameter, and closing removes only that', () => {
  expect(readModalParam('?tab=saved&likes=one', 'likes')).toBe('one')
  expect(readModalParam('?tab=saved&mylikes=one', 'likes')).toBeNull()
  expect(withModalParam('?tab=saved&likes=one', 'likes', null)).toBe('?tab=saved')
  expect(withModalParam('?tab=saved&post=one', 'post', null)).toBe('?tab=saved')
  expect(withModalParam('?c=1&story=one', 'story', null)).toBe('?c=1')
  expect(withModalParam('?likes=one', 'likes', null)).toBe('')
})

describe('PROF-10 PROF-12 closing a modal', () => {
  function openAt(search: string, state: unknown) {
    router.location = at(search, state)
    history.replaceState(null, '', search)
    return callHook(() => useModalRoute('post'))
  }

  test('goes back if a link of the page opened it', () => {
    const modal = openAt('?tab=saved&post=one', modalState('post', { posts: ['one'] }))
    expect(modal).toMatchObject({ value: 'one', root: { open: true } })
    modal.root.onOpenChange(false)
    expect(router.navigate.mock.calls).toEqual([[-1]])
  })

  test.each([
    ['the address opened it', null],
    ['a link opened another modal over it', { posts: ['one'], over: 'likes' }],
  ])('removes its parameter if %s', (_, state) => {
    openAt('?tab=saved&post=one', state).close()
    expect(router.navigate.mock.calls).toEqual([[{ search: '?tab=saved' }, { replace: true }]])
  })

  test('a dialog that opens does not navigate', () => {
    openAt('?post=one', null).root.onOpenChange(true)
    expect(router.navigate).not.toHaveBeenCalled()
  })
})
