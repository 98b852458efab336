import { createElement, type ReactNode } from 'react'
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
vi.mock('#/renderer/components/LazyPopup', async () => {
  const menu = await import('#/renderer/features/post/components/CommentMenuItems')
  return {
    LazyPopup: ({ children }: { children: (module: object, props: object) => unknown }) => children(menu, {}),
  }
})
vi.mock('#/renderer/components/DropMenu', () => ({
  DropMenu: ({ children }: { children: unknown }) => children,
}))
vi.mock('radix-ui', () => ({
  DropdownMenu: {
    Item: ({ onSelect, children }: { onSelect: () => void; children: ReactNode }) => (
      <button type="button" onClick={onSelect}>
        {children}
      </button>
    ),
  },
}))
vi.mock('#/renderer/features/desktop', () => ({ desktop: { host: 'browser' } }))
vi.mock('#/renderer/features/post/comments/live', () => ({ useLiveComments: () => undefined }))
vi.mock('#/renderer/features/post/comments/mutations', () => ({
  useDeleteCommentMutation: () => ({ mutate: ({ id }: { id: string }) => server.deleted.push(id) }),
  useToggleCommentLike: () => () => undefined,
}))
vi.mock('#/renderer/features/post/comments/queries', () => ({
  useCommentQuery: () => ({ data: undefined }),
  useCommentsQuery: () => ({
    isPending: false,
    isLoadingError: false,
    isError: false,
    hasNextPage: false,
    data: [
      {
        id: 'c',
        post_id: 'p',
        user_id: 'me',
        parent_id: null,
        like_count: 0,
        reply_count: 0,
        my_like: [],
        content: 'Hello',
        created_at: '',
        author: { username: 'me', avatar_url: null, avatar_path: null },
      },
    ],
  }),
}))

const list = createElement(CommentList, {
  post: { id: 'p', user_id: 'ada' } as Post,
  sent: null,
  onReply: () => undefined,
})
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
