import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { FeedList } from '#/renderer/features/feed/components/FeedList'
import { PendingPost } from '#/renderer/features/feed/components/lazy-pending-post'
import type { NewPost } from '#/renderer/features/feed/mutations'
import type { OutboxRow } from '#/renderer/lib/outbox'

/** Indexes of the posts that are rendered. */
const drawn = vi.hoisted(() => ({ indexes: [0] }))

vi.mock('@tanstack/react-query', async (load) => ({ ...(await load<object>()), useQueryClient: () => ({}) }))
vi.mock('@tanstack/react-virtual', () => ({
  useWindowVirtualizer: () => ({
    getVirtualItems: () => drawn.indexes.map((index) => ({ index, key: index, start: 0 })),
    getTotalSize: () => 0,
    measureElement: () => undefined,
  }),
}))
vi.mock('#/renderer/lib/layout/layout', () => ({ barHeight: () => 57 }))
vi.mock('#/renderer/lib/navigation/usePagePosition', () => ({ usePagePosition: () => null }))
vi.mock('#/renderer/features/feed/queries', () => ({ removeFromFeed: () => undefined }))
vi.mock('#/renderer/features/auth', () => ({
  useMe: () => ({ id: 'me', profile: { username: 'me', avatar_url: null, avatar_path: null } }),
}))
vi.mock('#/renderer/features/post/queries', async (load) => ({
  ...(await load<object>()),
  usePostQuery: (id: string) => ({
    data: {
      id,
      content: '',
      thumbnail_url: null,
      like_count: 0,
      comment_count: 0,
      author: { username: 'ada', avatar_url: null, avatar_path: null },
    },
  }),
  usePostLinks: () => undefined,
  usePostMedia: () => [],
}))
vi.mock('#/renderer/features/post/mutations/reactions', async (load) => ({
  ...(await load<object>()),
  useReactions: () => ({}),
}))
vi.mock('#/renderer/features/post/components/PostHeader', () => ({ PostHeader: () => null }))
vi.mock('#/renderer/features/post/components/PostText', () => ({ PictureText: () => null }))
vi.mock('#/renderer/features/post/components/PostActions', () => ({ PostActions: () => null }))

// The outbox loads this component before it has pending posts.
beforeAll(async () => void (await PendingPost.load()))

/** Id, position and set size of each rendered post, as a screen reader gets them. */
function places(ids: string[], hasMore: boolean, pending: readonly OutboxRow<NewPost>[] = []): string[] {
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <FeedList
        kind="everyone"
        ids={ids}
        pending={pending}
        loadedAt={1}
        hasMore={hasMore}
        isReading={false}
        hasFailed={false}
        onEnd={async () => undefined}
        onReadOn={undefined}
      />
    </MemoryRouter>,
  )
  const articles = markup.matchAll(
    /<article data-post="(\w+)"[^>]* aria-posinset="(\d+)" aria-setsize="(-?\d+)"/g,
  )
  return [...articles].map(([, id, place, size]) => `${id} ${place}/${size}`)
}

test('FEED-09 a post has its position in the feed, although only a few posts are rendered', () => {
  drawn.indexes = [2, 3]
  expect(places(['a', 'b', 'c', 'd', 'e'], false)).toEqual(['c 3/5', 'd 4/5'])
})

test('FEED-09 the size of the feed is unknown until its last page is loaded', () => {
  drawn.indexes = [0, 1]
  expect(places(['a', 'b'], true)).toEqual(['a 1/-1', 'b 2/-1'])
})

test('CREATE-10 pending posts are on top, and keep their place when the server has stored them', () => {
  drawn.indexes = [0, 1, 2]
  const payload: NewPost = { content: 'Fog', location: '', photos: [] }
  const rows = ['new', 'old'].map(
    (id): OutboxRow<NewPost> => ({
      id,
      scope: 'post',
      kind: 'post',
      payload,
      createdAt: '2026-03-01T12:00:00Z',
      state: 'waiting',
    }),
  )
  expect(places(['a'], false, rows)).toEqual(['new 1/3', 'old 2/3', 'a 3/3'])
  expect(places(['old', 'a'], false, rows)).toEqual(['new 1/3', 'old 2/3', 'a 3/3'])
  expect(places(['old', 'a'], false, rows.slice(0, 1))).toEqual(['new 1/3', 'old 2/3', 'a 3/3'])
  expect(places(['new', 'old', 'a'], false)).toEqual(['new 1/3', 'old 2/3', 'a 3/3'])
})
