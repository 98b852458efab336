import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { emitRowChange } from '#/renderer/lib/live/row-changes-store'
import type { Tables } from '#/shared/database.types'
import { app, openApp } from '#tests/renderer/app/open-app'
import { press, settle } from '#tests/renderer/dom'
import { type FakeServer, fakeServer, ME, PROFILE, postBy, signIn } from '#tests/renderer/fake-server'

const POST = 'a0000000-0000-4000-8000-00000000000a'
const COMMENT = 'b0000000-0000-4000-8000-00000000000b'
const STORY = 'd0000000-0000-4000-8000-00000000000d'

let server: FakeServer
let groups: ReturnType<typeof group>[]
let unread: number

/** Also while a dialog is open. */
const bell = () => screen.getByRole('button', { name: /^Notifications/, hidden: true })
const items = (list: HTMLElement) => within(list).getAllByRole('listitem')

/** A group of notifications of ines, named like its type. */
const group = (type: string, given: object = {}) => ({
  ...{ id: type, group_key: type, type, about: null, message: null, content: null, read: false },
  ...{ post_id: null, comment_id: null, story_id: null, created_at: '2026-03-01T12:00:00Z', actor_count: 1 },
  actors: [{ id: 'ines', username: 'ines', avatar_url: null, avatar_path: null, is_private: false }],
  ...given,
})

const LIKE = group('like', { post_id: POST, content: 'Harbour at six' })
const COMMENTED = group('comment', { post_id: POST, comment_id: COMMENT, content: 'That light!' })
const FOLLOW = group('follow')
const VIEW = group('story_view', { story_id: STORY })

async function openBell(): Promise<HTMLElement> {
  await userEvent.click(bell())
  const list = await screen.findByRole('dialog', { name: 'Notifications' })
  await within(list).findAllByRole('listitem')
  return list
}

beforeEach(() => {
  server = fakeServer()
  groups = [VIEW, FOLLOW, COMMENTED, LIKE]
  unread = 4
  server.on('GET unread_notifications', () => unread)
  server.on('GET notification_groups', () => groups)
  for (const table of ['follow_requests', 'follows']) server.on(`GET ${table}`, () => [])
  server.on('GET profiles', () => PROFILE)
  server.on('GET posts', () => [postBy('mara', POST)])
  // 'Mark all as read' asks for the 500th unread one.
  server.on('GET notifications', ({ query }) =>
    query.has('offset') ? [] : [{ id: query.get('group_key')?.replace(/^eq\./, '') }],
  )
  // Those of one group, or all.
  server.on('PATCH notifications', ({ query }) => {
    const ids = query.get('id')
    groups = groups.map((each) => ({ ...each, read: each.read || (ids ?? each.id).includes(each.id) }))
    unread = ids === null ? 0 : unread - 1
    return null
  })
  signIn()
})

test('NOTE-01 NOTE-02 NOTE-05 the bell lists what happened with its words', async () => {
  groups = [
    VIEW,
    FOLLOW,
    COMMENTED,
    LIKE,
    group('mention', { comment_id: COMMENT, post_id: POST, content: '@mara that light!' }),
    group('mention', { group_key: 'm2', story_id: STORY }),
    group('mention', { group_key: 'm3', post_id: POST, content: 'With @mara at the pier' }),
  ]
  openApp('/settings')
  const list = await openBell()
  const lines = items(list).map(({ textContent }) => textContent?.replaceAll(/[\u2068\u2069]/g, ''))
  expect(lines).toEqual(
    [
      /ines viewed your story/,
      /ines started following you/,
      /ines commented on your post: That light!/,
      /ines liked your post: Harbour at six/,
      /ines mentioned you in a comment: @mara that light!/,
      /ines mentioned you in a story/,
      /ines mentioned you in a post: With @mara at the pier/,
    ].map((words) => expect.stringMatching(words)),
  )
})

test('NOTE-04 choosing a notification opens its subject over the page, and marks it as read', async () => {
  openApp('/settings')
  await vi.waitFor(() => expect(bell().getAttribute('aria-label')).toBe('Notifications, 4 unread'))
  const choose = async (words: RegExp) => {
    const list = await openBell()
    await act(async () => within(list).getByRole('link', { name: words }).click())
    await settle()
    return `${app.location.pathname}${app.location.search}`
  }
  expect(await choose(/commented on/)).toBe(`/settings?post=${POST}&comment=${COMMENT}`)
  await vi.waitFor(() => expect(bell().getAttribute('aria-label')).toBe('Notifications, 3 unread'))
  expect(server.sent('PATCH notifications')).toEqual([{ read: true }])
  openApp('/settings')
  await press('Mark as read', items(await openBell())[1])
  await vi.waitFor(() => expect(bell().getAttribute('aria-label')).toBe('Notifications, 2 unread'))
  openApp('/settings')
  expect(await choose(/viewed your story/)).toBe(`/settings?story=${STORY}`)
  openApp('/settings')
  expect(await choose(/started following/)).toBe('/profile/ines')
})

test('NAV-02 NOTE-02 the badge counts unread notifications, 9+ above nine, none at zero', async () => {
  const label = () => bell().getAttribute('aria-label')
  const openWith = (count: number) => {
    unread = count
    openApp('/settings')
  }
  openWith(0)
  await settle()
  expect([label(), bell().textContent]).toEqual(['Notifications', expect.not.stringMatching(/\d/)])
  openWith(8)
  await vi.waitFor(() => expect(label()).toBe('Notifications, 8 unread'))
  expect(bell().textContent).toContain('8')
  openWith(10)
  await vi.waitFor(() => expect(label()).toBe('Notifications, 9+ unread'))
  expect(bell().textContent).toContain('9+')

  await press('Mark all as read', await openBell())
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull())
  await vi.waitFor(() => expect(server.sent('PATCH notifications')).toEqual([{ read: true }]))
  expect(server.calls.find(({ name }) => name === 'PATCH notifications')?.query.get('user_id')).toBe(
    `eq.${ME}`,
  )
  await userEvent.keyboard('{Escape}')
  await vi.waitFor(() => expect(label()).toBe('Notifications'))
})

test('NOTE-01 the bell loads older notifications when the end of its own list comes into view', async () => {
  const observers: { root: unknown; show: () => void }[] = []
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(onSeen: (entries: object[]) => void, { root }: { root: unknown }) {
        observers.push({ root, show: () => onSeen([{ isIntersecting: true }]) })
      }
      observe() {}
      disconnect() {}
    },
  )
  const likes = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({
      ...LIKE,
      ...{ id: `n${from + index}`, group_key: `n${from + index}` },
    }))
  server.on('GET notification_groups', ({ query }) => (query.has('before_id') ? likes(20, 25) : likes(0, 20)))
  openApp('/settings')
  const list = await openBell()
  expect(within(list).getAllByRole('link')).toHaveLength(20)
  const end = observers.at(-1)
  expect(list.contains(end?.root as Node)).toBe(true)
  act(() => end?.show())
  await vi.waitFor(() => expect(within(list).getAllByRole('link')).toHaveLength(25))
  expect(within(list).queryByLabelText('Loading older notifications')).toBeNull()
})

test('NOTE-03 a like of the own post that is open refetches the post, and a comment its comments too', async () => {
  const count = (name: string) => server.calls.filter((call) => call.name === name).length
  const arrive = (type: string) =>
    act(() =>
      emitRowChange('notifications', {
        kind: 'insert',
        row: { type, post_id: POST } as Tables<'notifications'>,
      }),
    )
  server.on('GET comments', () => [])
  openApp(`/settings?post=${POST}`)
  await vi.waitFor(() => expect(count('GET comments')).toBeGreaterThan(0))
  await settle()
  const [posts, comments] = [count('GET posts'), count('GET comments')]
  arrive('like')
  await vi.waitFor(() => expect(count('GET posts')).toBe(posts + 1))
  await settle()
  expect(count('GET comments')).toBe(comments)
  arrive('comment')
  arrive('like')
  await vi.waitFor(() => expect(count('GET comments')).toBeGreaterThan(comments))
})
