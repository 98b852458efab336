import { cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { NotificationList } from '#/renderer/features/notifications/components/NotificationPopover'
import { pageText, press, show as render } from '#tests/renderer/dom'

const { mutate, state } = vi.hoisted(() => ({
  mutate: vi.fn(),
  state: { list: [] as object[], hasNextPage: false },
}))

vi.mock('#/renderer/features/auth', async (load) => ({
  ...(await load<object>()),
  useMe: () => ({ id: 'me', profile: { username: 'me' } }),
}))
vi.mock('#/renderer/features/notifications/queries', async (load) => ({
  ...(await load<object>()),
  useNotificationsQuery: () => ({
    ...{ data: state.list, hasNextPage: state.hasNextPage, isPending: false, isError: false },
    ...{ dataUpdatedAt: 1, isFetchingNextPage: false },
    ...{ refetch: () => undefined, fetchNextPage: () => undefined },
  }),
  useFollowRequestsQuery: () => ({ data: [] }),
  useThumbnail: () => null,
}))
vi.mock('#/renderer/features/notifications/mutations', async (load) => ({
  ...(await load<object>()),
  useMarkReadMutation: () => ({ mutate }),
  useMarkVisibleAsRead: () => undefined,
}))
vi.mock('#/renderer/features/notifications/components/FollowRequests', () => ({ FollowRequests: () => null }))
vi.mock('#/renderer/lib/content/time', async (load) => ({ ...(await load<object>()), useNow: () => 0 }))

function group(group_key: string, read: boolean, given: object = {}) {
  const actors = [
    { id: `id-of-${group_key}`, username: `actor-of-${group_key}`, avatar_url: null, avatar_path: null },
  ]
  const empty = { message: null, about: null, content: null, post_id: null, comment_id: null, story_id: null }
  return {
    ...{ group_key, read, actors, actor_count: 1, type: 'like', created_at: '2026-11-21T10:00:00Z' },
    ...{ ...empty, ...given },
  }
}

beforeEach(() => {
  state.hasNextPage = false
  mutate.mockClear()
})

/** Shows the list, and returns its text. */
function show(): string {
  cleanup()
  render(<NotificationList onClose={() => undefined} />)
  return pageText()
}

test('NOTE-02 the button of an unread group marks that group as read', async () => {
  state.list = [group('first', true), group('second', false)]
  expect(show()).toContain('actor-of-second')
  await press('Mark as read')
  expect(mutate.mock.calls).toMatchObject([[{ group_key: 'second' }]])
})

test('NOTE-02 the focus moves to a notification whose button is gone once it is read, and to the list after all of them', async () => {
  // The list in the bell.
  const bell = () => (
    <div role="dialog" tabIndex={-1}>
      <NotificationList onClose={() => undefined} />
    </div>
  )
  state.list = [group('first', false), group('second', false)]
  const { rerender } = render(bell())
  const show = (list: object[]) => {
    state.list = list
    rerender(bell())
  }
  mutate.mockImplementationOnce(() => show([group('first', false), group('second', true)]))
  await press('Mark as read', screen.getByRole('link', { name: /second/ }).closest('li') as HTMLElement)
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: /second/ })))
  mutate.mockImplementationOnce(() => show([group('first', true), group('second', true)]))
  await press('Mark all as read')
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog')))
})

test('NOTE-02 of two buttons that are gone in the same moment, the later one says where the focus goes', async () => {
  const bell = () => (
    <div role="dialog" tabIndex={-1}>
      <NotificationList onClose={() => undefined} />
    </div>
  )
  state.list = [group('first', false)]
  const { rerender } = render(bell())
  fireEvent.click(screen.getByRole('button', { name: 'Mark as read' }))
  mutate.mockImplementationOnce(() => {
    state.list = [group('first', true)]
    rerender(bell())
  })
  const all = screen.getByRole('button', { name: 'Mark all as read' })
  all.focus()
  fireEvent.click(all)
  await vi.waitFor(() => expect(document.activeElement).not.toBe(document.body))
  expect(document.activeElement).toBe(screen.getByRole('dialog'))
})

test('NOTE-04 the button that unfolds a long notification stands beside its time, outside its link', () => {
  state.list = [
    group('short', true),
    group('long', true, { type: 'comment', content: 'A long line. '.repeat(30) }),
  ]
  show()
  const more = screen.getByRole('button', { name: 'More' })
  expect(more.parentElement?.querySelector('time')).not.toBeNull()
  expect(more.closest('a')).toBeNull()
  expect(document.querySelectorAll('time')).toHaveLength(2)
})

test('NOTE-02 one button marks all notifications as read, and is missing when all are read', async () => {
  state.list = [group('first', true), group('second', false)]
  show()
  await press('Mark all as read')
  expect(mutate.mock.calls).toEqual([['all']])
  state.list = [group('first', true)]
  expect(show()).not.toMatch(/Mark (all )?as read/)
})

test('NOTE-06 names the latest member, and counts the others', () => {
  const others = (actor_count: number) => ({ actor_count, type: 'like' })
  state.list = [group('one', true, others(1)), group('two', true, others(2)), group('four', true, others(4))]
  const text = show()
  expect(text).toMatch(/actor-of-one liked your post/)
  expect(text).toMatch(/actor-of-two and 1 other liked your post/)
  expect(text).toMatch(/actor-of-four and 3 others liked your post/)
  state.list = [group('many', true, others(101))]
  expect(show()).toMatch(/actor-of-many and 99\+ others liked your post/)
})

test('NOTE-01 ends with older groups being loaded as long as there are some', () => {
  state.list = [group('first', true)]
  expect(show()).not.toContain('Loading older notifications')
  state.hasNextPage = true
  expect(show()).toContain('Loading older notifications')
  // A page whose members are all hidden.
  state.list = []
  expect(show()).not.toContain('Nothing new yet')
})
