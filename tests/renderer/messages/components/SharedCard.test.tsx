import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { SharedCard } from '#/renderer/features/messages/components/SharedCard'
import { type SharedKind, sharedColumns } from '#/renderer/features/messages/model/shared'
import { texts } from '#/renderer/lib/texts'
import { message } from '../messages'

const page = vi.hoisted(() => ({ state: 'online', data: undefined as unknown }))

vi.mock('#/renderer/lib/live', async (load) => ({
  ...(await load<object>()),
  useConnection: () => ({ state: page.state, retryAt: null }),
}))
vi.mock('#/renderer/features/stories', () => ({ StoryLink: 'a' }))
vi.mock('#/renderer/features/messages/queries/shared', () => {
  const useShared = () => ({ data: page.data })
  return { useSharedPostQuery: useShared, useSharedStoryQuery: useShared, useSharedProfileQuery: useShared }
})

const KINDS: SharedKind[] = ['post', 'story', 'profile']
const { offline } = texts.messages.shared

function card(kind: SharedKind, state: 'online' | 'lost', data: unknown): string {
  Object.assign(page, { state, data })
  const shared = message('m', 1, sharedColumns({ kind, id: 'shared' }))
  return renderToStaticMarkup(
    <MemoryRouter>
      <SharedCard message={shared} />
    </MemoryRouter>,
  )
}

test.each(KINDS)('FEED-17 a shared %s that is not loaded says so while the connection is lost', (kind) => {
  expect(card(kind, 'lost', undefined)).toContain(offline)
  expect(card(kind, 'online', undefined)).not.toContain(offline)
})

test.each(KINDS)('FEED-17 a hidden %s stays hidden while the connection is lost', (kind) => {
  const markup = card(kind, 'lost', null)
  expect(markup).not.toContain(offline)
  expect(markup).toMatch(/available/)
})

test('FEED-17 the card of a post has the beginning of a long text: the browser would lay out all of it for two lines', () => {
  const post = {
    content: 'W'.repeat(2_200),
    author: { username: 'mara', full_name: '', avatar_path: null },
    media: [{ position: 0, kind: 'photo', grid_path: null, thumbhash: null }],
    thumbnail_url: 'data:image/webp;base64,AAAA',
  }
  expect(card('post', 'online', post)).toMatch(/>W{300}…</)
})
