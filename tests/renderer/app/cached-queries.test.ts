import { hashKey, type QueryKey } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { CACHED_QUERIES, ownProfileOf, readFirstScreen } from '#/renderer/app/cached-queries'
import { feedKeys } from '#/renderer/features/feed/keys'
import { FEED_VIEW, feedOnScreen } from '#/renderer/features/feed/position'
import { conversationKeys, messageKeys } from '#/renderer/features/messages/keys'
import { notificationKeys } from '#/renderer/features/notifications/keys'
import { peopleKey } from '#/renderer/features/people/keys'
import { postKeys } from '#/renderer/features/post/keys'
import { profileKeys } from '#/renderer/features/profile/keys'
import { MUTED_KEY, safetyKeys } from '#/renderer/features/safety/keys'
import { settingsKeys } from '#/renderer/features/settings/keys'
import { storyKeys } from '#/renderer/features/stories/keys'
import { openDiskCache } from '#/renderer/lib/disk-cache/disk-cache'
import { SCROLL_KEY } from '#/renderer/lib/navigation/useListScroll'
import { memoryCache } from '#tests/renderer/lib/disk-cache/memory-cache'

vi.mock('#/renderer/features/feed', async () => import('#/renderer/features/feed/position'))
vi.mock('#/renderer/features/messages', async () => import('#/renderer/features/messages/deleted'))
vi.mock('#/renderer/features/people', async () => import('#/renderer/features/people/keys'))
vi.mock('#/renderer/features/post', async () => import('#/renderer/features/post/keys'))
vi.mock('#/renderer/features/safety', async () => import('#/renderer/features/safety/keys'))

test('FEED-18 the feed, grids, profiles and conversations are cached on disk', () => {
  const cached: QueryKey[] = [
    ...FEED_VIEW,
    postKeys.post('p'),
    postKeys.picture('p'),
    postKeys.links('p'),
    postKeys.comments('p'),
    profileKeys.grid('posts', 'ada'),
    profileKeys.byUsername('ada'),
    conversationKeys.list('inbox'),
    conversationKeys.one('c'),
    messageKeys.history('c'),
    messageKeys.photos('c'),
    MUTED_KEY,
    [SCROLL_KEY, 'grid', 'posts', 'ada'],
  ]
  expect(cached.filter(([name]) => !CACHED_QUERIES.names.has(name))).toEqual([])
})

test('FEED-18 devices, forms, blocked members and what expires are never cached on disk', () => {
  const others: QueryKey[] = [
    settingsKeys.sessions,
    settingsKeys.recentSignIn,
    profileKeys.editable('me'),
    safetyKeys.list('blocked'),
    safetyKeys.blockedMember('ada'),
    safetyKeys.blockedName('ada'),
    notificationKeys.list,
    notificationKeys.requests,
    storyKeys.strip,
    storyKeys.media('s'),
    messageKeys.photo('m'),
    peopleKey({ kind: 'followers', id: 'ada' }),
    ['search', 'ada'],
  ]
  expect(others.filter(([name]) => CACHED_QUERIES.names.has(name))).toEqual([])
})

const ids = Array.from({ length: 40 }, (_, index) => `p${index}`)
test('FEED-18 the picture, links and comments of a post leave the disk with it', () => {
  const { of, names } = CACHED_QUERIES.parts
  expect(of).toBe(postKeys.post('p')[0])
  expect([...names]).toEqual(
    [postKeys.picture('p'), postKeys.links('p'), postKeys.comments('p')].map(([name]) => name),
  )
})

/** Has a post of the other feed too, which is read once. */
const FOLLOWING = {
  pages: [{ posts: ['f1', 'p3'].map((id) => ({ id, author: 'ben' })) }],
  pageParams: [null],
}
const PAGES = { pages: [{ posts: ids.map((id) => ({ id, author: 'ada' })) }], pageParams: [null] }

test.each([
  ['its beginning', undefined, 'p0', 'p7'],
  ['the last position', { id: 'p20', top: 80 }, 'p16', 'p27'],
  ['its beginning if the post of the position is gone', { id: 'gone', top: 80 }, 'p0', 'p7'],
])('FEED-18 the first screen has the posts around %s', (_what, position, first, last) => {
  const data = new Map<string, unknown>([
    [hashKey(feedKeys.pages('following')), PAGES],
    [hashKey(feedKeys.position('following')), position],
  ])
  const posts = feedOnScreen((key) => data.get(hashKey(key))).flatMap(([name, id]) =>
    name === 'post' ? [id] : [],
  )
  expect([posts.at(0), posts.at(-1)]).toEqual([first, last])
})

test('FEED-18 the queries of the first screen are read together with the member; missing ones are omitted', async () => {
  const cache = openDiskCache(memoryCache().store)
  await cache.list()
  const profile = { id: 'me', username: 'me.too' }
  const stored: [QueryKey, unknown][] = [
    [['own profile'], profile],
    [feedKeys.pages('everyone'), PAGES],
    [feedKeys.pages('following'), FOLLOWING],
    [postKeys.post('p3'), { id: 'p3' }],
    [postKeys.links('p3'), {}],
    [postKeys.post('p30'), { id: 'p30' }],
    [postKeys.post('f1'), { id: 'f1' }],
  ]
  for (const [queryKey, data] of stored)
    cache.put(hashKey(queryKey), () => ({ queryKey, data, updatedAt: 1 }))
  await cache.flush()
  const first = await readFirstScreen(cache)
  expect(first.map(({ queryKey }) => queryKey)).toEqual([
    ['own profile'],
    feedKeys.pages('following'),
    feedKeys.pages('everyone'),
    postKeys.post('f1'),
    postKeys.post('p3'),
    postKeys.links('p3'),
  ])
  expect(ownProfileOf(first)).toEqual(profile)
  expect(ownProfileOf([])).toBeNull()
})
