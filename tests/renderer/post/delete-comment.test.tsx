import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { CommentList } from '#/renderer/features/post/components/CommentList'
import type { Post } from '#/renderer/features/post/queries'
import { texts } from '#/renderer/lib/texts'
import { draw, press, read } from '../page-without-dom'

const server = vi.hoisted(() => ({ deleted: [] as string[] }))

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('../page-without-dom')).withParts(await load()),
)
vi.mock('#/renderer/components/ConfirmDialog', async () => (await import('../page-without-dom')).dialogs)
vi.mock('#/renderer/components/RelativeTime', () => ({ RelativeTime: () => null }))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/features/post/mutations', () => ({
  useDeleteCommentMutation: () => ({ mutate: (id: string) => server.deleted.push(id) }),
}))
vi.mock('#/renderer/features/post/queries', () => ({
  useCommentsAfterReconnect: () => undefined,
  useCommentsQuery: () => ({
    isPending: false,
    isLoadingError: false,
    isError: false,
    hasNextPage: false,
    data: [
      {
        id: 'c',
        user_id: 'me',
        content: 'Hello',
        created_at: '',
        author: { username: 'me', avatar_url: null, avatar_path: null },
      },
    ],
  }),
}))

const list = createElement(CommentList, { post: { id: 'p', user_id: 'ada' } as Post, sentId: null })
const { deleteComment } = texts.post

test('FEED-11 a comment is deleted after a confirmation', async () => {
  const ask = () =>
    vi.waitFor(() => {
      const page = read(list)
      expect(page).toContain(texts.post.deleteCommentTitle)
      expect(page).toContain(texts.post.deleteCommentBody)
    })
  draw(list)
  press(deleteComment)
  await ask()
  press(`${texts.post.deleteCommentTitle} Cancel`)
  expect(read(list)).not.toContain(texts.post.deleteCommentTitle)
  expect(server.deleted).toEqual([])
  press(deleteComment)
  await ask()
  press(`${texts.post.deleteCommentTitle} ${texts.delete}`)
  expect(server.deleted).toEqual(['c'])
  expect(read(list)).not.toContain(texts.post.deleteCommentTitle)
})
