import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { FeedList } from '#/renderer/features/feed/FeedList'

/** Which posts of the list are in the page. */
const drawn = vi.hoisted(() => ({ indexes: [0] }))

vi.mock('@tanstack/react-query', async (load) => ({ ...(await load<object>()), useQueryClient: () => ({}) }))
vi.mock('@tanstack/react-virtual', () => ({
  useWindowVirtualizer: () => ({
    getVirtualItems: () => drawn.indexes.map((index) => ({ index, key: index, start: 0 })),
    getTotalSize: () => 0,
    measureElement: () => undefined,
  }),
}))
vi.mock('#/renderer/lib/usePagePosition', () => ({ usePagePosition: () => null }))
vi.mock('#/renderer/features/feed/useFeedShortcuts', () => ({ useFeedShortcuts: () => undefined }))
vi.mock('#/renderer/features/feed/queries', () => ({ removeFromFeed: () => undefined }))
vi.mock('#/renderer/features/post/queries', async (load) => ({
  ...(await load<object>()),
  usePostQuery: (id: string) => ({
    data: {
      id,
      content: '',
      thumbnail_url: null,
      like_count: 0,
      comment_count: 0,
      author: { username: 'ada', avatar_url: null },
    },
  }),
  usePictureQuery: () => ({ data: null }),
}))
vi.mock('#/renderer/features/post/reactions', () => ({ useReactions: () => ({}) }))
vi.mock('#/renderer/features/post/components/PostHeader', () => ({ PostHeader: () => null }))
vi.mock('#/renderer/features/post/components/PostText', () => ({ FoldedPictureText: () => null }))
vi.mock('#/renderer/features/post/components/PostActions', () => ({ PostActions: () => null }))

/** Id, place and size of the set, as a screen reader gets them, of each post in the page. */
function places(ids: string[], hasMore: boolean): string[] {
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <FeedList
        ids={ids}
        pageCount={1}
        hasMore={hasMore}
        isReading={false}
        hasFailed={false}
        onEnd={() => undefined}
      />
    </MemoryRouter>,
  )
  const articles = markup.matchAll(
    /<article data-post="(\w+)"[^>]* aria-posinset="(\d+)" aria-setsize="(-?\d+)"/g,
  )
  return [...articles].map(([, id, place, size]) => `${id} ${place}/${size}`)
}

test('FEED-09 a post names its place in the feed, though only a few posts are in the page', () => {
  drawn.indexes = [2, 3]
  expect(places(['a', 'b', 'c', 'd', 'e'], false)).toEqual(['c 3/5', 'd 4/5'])
})

test('FEED-09 the size of the feed is unknown until its last page is read', () => {
  drawn.indexes = [0, 1]
  expect(places(['a', 'b'], true)).toEqual(['a 1/-1', 'b 2/-1'])
})
