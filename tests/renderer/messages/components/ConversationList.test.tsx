import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ConversationList } from '#/renderer/features/messages/components/ConversationList'

const query = vi.hoisted(() => ({ hasNextPage: false }))

vi.mock('#/renderer/lib/navigation/useListScroll', () => ({ useListScroll: () => undefined }))
vi.mock('@tanstack/react-virtual', () => ({
  // Only the middle of the list is rendered.
  useVirtualizer: () => ({
    getVirtualItems: () => [1, 2].map((index) => ({ index, key: index, start: 0 })),
    getTotalSize: () => 0,
  }),
}))
vi.mock('#/renderer/lib/core/clock-store', async (load) => ({ ...(await load<object>()), useNow: () => 0 }))
vi.mock('#/renderer/features/messages/components/ConversationMenu', () => ({
  LIST_TITLE_ID: 'title',
  useConversationActions: () => ({ choose: () => undefined, isBusy: false, element: null }),
}))
vi.mock('#/renderer/features/messages/queries/conversations', () => ({
  useConversationsQuery: () => ({
    conversations: ['a', 'b', 'c', 'd'].map((id) => ({ id, other: null, isGone: false })),
    isPending: false,
    isError: false,
    isFetchingNextPage: false,
    ...query,
  }),
}))
vi.mock('#/renderer/features/messages/components/FolderLinks', () => ({ FolderLinks: () => null }))
vi.mock('#/renderer/features/messages/queries/activity', async (load) => ({
  ...(await load<object>()),
  useActivityQuery: () => ({ data: undefined }),
}))
vi.mock('#/renderer/features/messages/components/ConversationRow', () => ({
  ROW_HEIGHT: 66,
  ConversationRow: ({ conversation }: { conversation: { id: string } }) => conversation.id,
}))

/** Id, position and set size of each rendered row, as a screen reader gets them. */
function places(hasNextPage: boolean): string[] {
  query.hasNextPage = hasNextPage
  const markup = renderToStaticMarkup(<ConversationList folder="inbox" openId={null} className="" />)
  const rows = markup.matchAll(/<li aria-setsize="(-?\d+)" aria-posinset="(\d+)"[^>]*>(\w)<\/li>/g)
  return [...rows].map(([, size, place, id]) => `${id} ${place}/${size}`)
}

test('MSG-01 rows have their position in the list although only a few are rendered', () => {
  expect(places(false)).toEqual(['b 2/4', 'c 3/4'])
})

test('MSG-01 the size of the list is unknown until the last page is loaded', () => {
  expect(places(true)).toEqual(['b 2/-1', 'c 3/-1'])
})
