import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { CommentList } from '#/renderer/features/post/components/CommentList'
import type { Post } from '#/renderer/features/post/queries'
import { texts } from '#/renderer/lib/texts'
import { pageText, press, show } from '#tests/renderer/dom'

const server = vi.hoisted(() => ({ deleted: [] as string[] }))

vi.mock('#/renderer/components/RelativeTime', () => ({ RelativeTime: () => null }))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
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

/** Opens the options of the comment, and chooses to delete it. */
async function ask(): Promise<void> {
  await press(texts.post.commentOptions('me'))
  await userEvent.click(await screen.findByRole('menuitem', { name: texts.post.deleteComment }))
  await screen.findByRole('alertdialog')
  expect(pageText()).toContain(`${texts.post.deleteCommentTitle} ${texts.post.deleteCommentBody}`)
}

test('FEED-11 a comment is deleted after a confirmation', async () => {
  show(<CommentList post={{ id: 'p', user_id: 'ada' } as Post} sent={null} onReply={() => undefined} />)
  await ask()
  await press(texts.cancel)
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(server.deleted).toEqual([])
  await ask()
  await press(texts.delete)
  expect(server.deleted).toEqual(['c'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
