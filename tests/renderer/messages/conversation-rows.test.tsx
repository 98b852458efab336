import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ConversationList } from '#/renderer/features/messages/components/ConversationList'

const query = vi.hoisted(() => ({ hasNextPage: false }))

vi.mock('@tanstack/react-virtual', () => ({
  // Only the middle of the list is in the page.
  useVirtualizer: () => ({
    getVirtualItems: () => [1, 2].map((index) => ({ index, key: index, start: 0 })),
    getTotalSize: () => 0,
  }),
}))
vi.mock('#/renderer/lib/clock-store', async (load) => ({ ...(await load<object>()), useNow: () => 0 }))
vi.mock('#/renderer/features/messages/useConversations', () => ({
  useConversationsQuery: () => ({
    conversations: ['a', 'b', 'c', 'd'].map((id) => ({ id, other: null, isGone: false })),
    isPending: false,
    isError: false,
    isFetchingNextPage: false,
    ...query,
  }),
}))
vi.mock('#/renderer/features/messages/activity', async (load) => ({
  ...(await load<object>()),
  useActivityQuery: () => ({ data: undefined }),
}))
vi.mock('#/renderer/features/messages/components/NewConversation', () => ({ NewConversation: () => null }))
vi.mock('#/renderer/features/messages/components/ConversationRow', () => ({
  ROW_HEIGHT: 66,
  ConversationRow: ({ conversation }: { conversation: { id: string } }) => conversation.id,
}))

/** Id, place and size of the set, as a screen reader gets them, of each row in the page. */
function places(hasNextPage: boolean): string[] {
  query.hasNextPage = hasNextPage
  const markup = renderToStaticMarkup(<ConversationList openId={null} className="" />)
  const rows = markup.matchAll(/<li aria-setsize="(-?\d+)" aria-posinset="(\d+)"[^>]*>(\w)<\/li>/g)
  return [...rows].map(([, size, place, id]) => `${id} ${place}/${size}`)
}

test('MSG-01 a conversation names its place in the list, though only a few rows are in the page', () => {
  expect(places(false)).toEqual(['b 2/4', 'c 3/4'])
})

test('MSG-01 the size of the list is unknown until its last page is read', () => {
  expect(places(true)).toEqual(['b 2/-1', 'c 3/-1'])
})
