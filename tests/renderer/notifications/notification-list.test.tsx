import { beforeEach, expect, test, vi } from 'vitest'
import { NotificationList } from '#/renderer/features/notifications/components/NotificationPopover'
import { clearPage, press, read } from '../page-without-dom'

const { mutate, state } = vi.hoisted(() => ({ mutate: vi.fn(), state: { list: [] as object[] } }))

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('../page-without-dom')).withParts(await load()),
)
vi.mock('#/renderer/features/notifications/queries', async (load) => ({
  ...(await load<object>()),
  useNotificationsQuery: () => ({ data: state.list, isPending: false, refetch: () => undefined }),
  useFollowRequestsQuery: () => ({ data: [] }),
  useThumbnail: () => null,
}))
vi.mock('#/renderer/features/notifications/mutations', async (load) => ({
  ...(await load<object>()),
  useMarkReadMutation: () => ({ mutate }),
  useMarkVisibleAsRead: () => undefined,
}))
vi.mock('#/renderer/features/notifications/components/FollowRequests', () => ({ FollowRequests: () => null }))
vi.mock('#/renderer/lib/time', async (load) => ({ ...(await load<object>()), useNow: () => 0 }))

function notification(id: string, read: boolean) {
  const actor = { username: `actor-of-${id}`, avatar_url: null, avatar_path: null }
  const empty = { message: null, about: null, post_id: null, story_id: null, post: null, comment: null }
  return { id, read, actor, actor_id: id, type: 'follow', created_at: '2026-11-21T10:00:00Z', ...empty }
}

beforeEach(() => {
  clearPage()
  mutate.mockClear()
})

const show = () => read(<NotificationList onClose={() => undefined} />)

test('NOTE-02 the button of an unread notification marks that notification as read', () => {
  state.list = [notification('first', true), notification('second', false)]
  expect(show()).toContain('actor-of-second')
  press('Mark as read')
  expect(mutate.mock.calls).toEqual([['second']])
})

test('NOTE-02 one button marks all notifications as read, and is missing when all are read', () => {
  state.list = [notification('first', true), notification('second', false)]
  show()
  press('Mark all as read')
  expect(mutate.mock.calls).toEqual([['all']])
  state.list = [notification('first', true)]
  expect(show()).not.toMatch(/Mark (all )?as read/)
})
