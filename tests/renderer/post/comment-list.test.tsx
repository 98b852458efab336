import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { CommentList } from '#/renderer/features/post/components/CommentList'
import { MissingComments } from '#/renderer/features/post/components/MissingComments'
import type { Post } from '#/renderer/features/post/queries'
import { texts } from '#/renderer/lib/texts'
import { offlineComments } from '#/renderer/lib/texts/later/offline-comments'

const query = vi.hoisted(() => ({ state: {}, linked: null as object | null }))
const network = vi.hoisted(() => ({ isOnline: true }))

vi.mock('#/renderer/lib/queries/useIsOnline', () => ({ useIsOnline: () => network.isOnline }))

vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/components/RelativeTime', () => ({ RelativeTime: () => null }))
vi.mock('#/renderer/features/post/comments/queries', () => ({
  useCommentsQuery: () => query.state,
  useCommentQuery: (_post: string, id: string | null) => ({ data: id === null ? undefined : query.linked }),
}))
vi.mock('#/renderer/features/post/comments/live', () => ({ useLiveComments: () => undefined }))
vi.mock('#/renderer/features/post/comments/mutations', () => ({
  useDeleteCommentMutation: () => ({}),
  useToggleCommentLike: () => () => undefined,
}))

const comment = {
  id: 'c',
  post_id: 'p',
  user_id: 'ada',
  parent_id: null,
  like_count: 2,
  reply_count: 0,
  my_like: [],
  content: 'What a morning',
  created_at: '2026-03-01T12:00:00Z',
  author: { username: 'ada', avatar_url: null, avatar_path: null },
}
const READ = { data: [comment], isPending: false, isError: false, isLoadingError: false, hasNextPage: true }

function draw(state: object, linkedId: string | null = null): string {
  query.state = state
  const post = { id: 'p', user_id: 'ben' } as Post
  return renderToStaticMarkup(
    <MemoryRouter>
      <CommentList post={post} sent={null} linkedId={linkedId} onReply={() => undefined} />
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

test('FEED-19 offline, says that comments and replies that are not on this device will be loaded later', () => {
  const pending = { ...READ, data: undefined, isPending: true, hasNextPage: false }
  expect(draw(pending)).not.toContain(offlineComments.comments)
  network.isOnline = false
  expect(draw(pending)).toContain(offlineComments.comments)
  expect(draw(READ)).toContain('What a morning')
  query.state = pending
  const replies = <MissingComments what="replies" hasFailed onRetry={async () => undefined} className="" />
  expect(renderToStaticMarkup(replies)).toContain(offlineComments.replies)
  network.isOnline = true
  expect(renderToStaticMarkup(replies)).toContain(texts.tryAgain)
})

test('FEED-15 a comment has its likes, a reply button and a menu; its replies wait behind a button', () => {
  const page = draw(READ)
  for (const words of [
    '2 likes',
    texts.post.reply,
    texts.post.replyTo('ada'),
    texts.post.commentOptions('ada'),
  ])
    expect(page).toContain(words)
  expect(page).toContain(`aria-label="${texts.post.likeComment('ada')}" title`)
  expect(page).not.toContain(texts.post.hideReplies)
  expect(draw({ ...READ, data: [{ ...comment, reply_count: 1 }] })).toContain('View 1 reply')
  expect(draw({ ...READ, data: [{ ...comment, reply_count: 1_200 }] })).toContain('View 1,200 replies')
})

test('FEED-15 a linked comment is highlighted in its place, or above the list when it belongs to a later page', () => {
  const later = { ...comment, id: 'later', content: 'Years after' }
  query.linked = comment
  expect(draw(READ, 'c').match(/data-linked=/g)).toHaveLength(1)
  query.linked = later
  const page = draw(READ, 'later')
  expect(page).toMatch(/data-linked=.*Years after.*What a morning/)
  query.linked = null
  expect(draw(READ, 'gone')).toContain(texts.post.commentGone)
  expect(draw(READ)).not.toContain(texts.post.commentGone)
})

test('FEED-15 a linked reply opens its thread', () => {
  query.linked = { ...comment, id: 'reply', parent_id: 'c' }
  const page = draw({ ...READ, data: [{ ...comment, reply_count: 1 }] }, 'reply')
  expect(page).toContain(texts.post.hideReplies)
  expect(page).toContain(`aria-label="${texts.post.replies('ada')}"`)
  expect(page).toContain(texts.post.moreReplies)
})

test('FEED-15 a linked reply of a later page is highlighted above the replies, and no pages before it are loaded', () => {
  query.linked = { ...comment, id: 'reply', parent_id: 'c', content: 'Years after' }
  const thread = { ...READ, data: [{ ...comment, reply_count: 1_000 }] }
  const replies = draw(thread, 'reply').split(texts.post.replies('ada'))[1] ?? ''
  expect(replies).toMatch(/data-linked=.*Years after.*What a morning/)
  expect(replies.match(/data-linked=/g)).toHaveLength(1)
  // The page that has it may still be on its way.
  expect(draw({ ...thread, hasNextPage: false }, 'reply')).not.toContain('Years after')
})
