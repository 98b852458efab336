import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { CommentList } from '#/renderer/features/post/components/CommentList'
import type { Post } from '#/renderer/features/post/queries'
import { texts } from '#/renderer/lib/texts'

const query = vi.hoisted(() => ({ state: {} }))

vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/components/RelativeTime', () => ({ RelativeTime: () => null }))
vi.mock('#/renderer/features/post/queries', () => ({
  useCommentsQuery: () => query.state,
  useCommentsAfterReconnect: () => undefined,
}))
vi.mock('#/renderer/features/post/mutations', () => ({ useDeleteCommentMutation: () => ({}) }))

const comment = {
  id: 'c',
  post_id: 'p',
  user_id: 'ada',
  content: 'What a morning',
  created_at: '2026-03-01T12:00:00Z',
  author: { username: 'ada', avatar_url: null, avatar_path: null },
}
const READ = { data: [comment], isPending: false, isError: false, isLoadingError: false, hasNextPage: true }

function draw(state: object): string {
  query.state = state
  const post = { id: 'p', user_id: 'ben' } as Post
  return renderToStaticMarkup(
    <MemoryRouter>
      <CommentList post={post} sentId={null} />
    </MemoryRouter>,
  )
}

test('FEED-06 a page of comments that fails to load can be loaded again', () => {
  expect(draw(READ)).toContain(texts.post.moreComments)
  const failed = draw({ ...READ, isError: true })
  expect(failed).toContain('What a morning')
  expect(failed).toContain(`>${texts.tryAgain}</button>`)
  expect(failed).not.toContain(texts.post.moreComments)
})

test('FEED-06 comments that fail to load are not reported as none', () => {
  const failed = draw({ ...READ, data: undefined, isError: true, isLoadingError: true, hasNextPage: false })
  expect(failed).toContain(`>${texts.tryAgain}</button>`)
  expect(failed).not.toContain(texts.post.noComments)
  expect(draw({ ...READ, data: [], hasNextPage: false })).toContain(texts.post.noComments)
})
