import { QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { useDeleteCommentMutation } from '#/renderer/features/post/comments/mutations'
import { type Comment, useCommentsQuery } from '#/renderer/features/post/comments/queries'
import { postKeys } from '#/renderer/features/post/keys'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { callHook } from '#tests/renderer/dom'

const server = vi.hoisted(() => ({
  /** The server's response to a deletion. */
  delete: async (_id: string): Promise<void> => undefined,
  logged: vi.fn(),
}))

vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: server.logged }))
vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: () => Promise<unknown>) => request(),
  supabase: () => ({
    rpc: (name: string, { ids }: { ids: readonly string[] }) => {
      expect([name, ids.length]).toEqual(['delete_comments', 1])
      return () => server.delete(ids.join())
    },
  }),
}))

const comment = (id: string, minute: number, reply_count = 0) =>
  ({ id, post_id: 'p', parent_id: null, reply_count, created_at: `2026-03-01T12:0${minute}:00Z` }) as Comment

const KEY = ['comments', 'p']

/** Caches the comments of a post in two pages; `read` refetches them. */
function openPost(read: () => Promise<unknown>) {
  const client = createQueryClient()
  const all = [comment('a', 1), comment('b', 2), comment('c', 3, 4)]
  const pages = [
    { comments: all.slice(0, 2), next: { createdAt: '', id: 'b' } },
    { comments: all.slice(2), next: undefined },
  ]
  client.setQueryData(KEY, { pages, pageParams: [null, null] })
  client.setQueryData(postKeys.post('p'), { id: 'p', comment_count: 7 })
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: read, staleTime: 60_000 })
  onTestFinished(observer.subscribe(() => undefined))

  return {
    remove: (id: string) => {
      const deleted = all.find((each) => each.id === id)
      if (deleted === undefined) throw new Error(`There is no comment ${id}`)
      return callHook(() => useDeleteCommentMutation('p'), client).mutateAsync(deleted)
    },
    shown: () => ({
      comments: callHook(() => useCommentsQuery('p'), client).data?.map(({ id }) => id),
      count: client.getQueryData<{ comment_count: number }>(postKeys.post('p'))?.comment_count,
    }),
  }
}

beforeEach(() => {
  server.logged.mockReset()
})

test('FEED-11 a deleted comment disappears before the server answers', async () => {
  server.delete = () => new Promise(() => undefined)
  const { remove, shown } = openPost(async () => undefined)
  void remove('b')
  await vi.waitFor(() => expect(shown()).toEqual({ comments: ['a', 'c'], count: 6 }))
})

test.each(['a', 'b', 'c'])(
  'FEED-11 comment %s returns to its place when the server refuses to delete it, also without a refetch',
  async (id) => {
    server.delete = () => Promise.reject(new Error('refused'))
    // The refetch never ends: the failure may last.
    const read = vi.fn(() => new Promise(() => undefined))
    const { remove, shown } = openPost(read)
    await expect(remove(id)).rejects.toThrow('refused')
    expect(shown()).toEqual({ comments: ['a', 'b', 'c'], count: 7 })
    expect(read).toHaveBeenCalledOnce()
    expect(server.logged).toHaveBeenCalledExactlyOnceWith('delete comment', expect.anything())
  },
)

test('FEED-15 deleting a comment removes its replies and subtracts them from the count', async () => {
  server.delete = () => new Promise(() => undefined)
  const { remove, shown } = openPost(async () => undefined)
  void remove('c')
  await vi.waitFor(() => expect(shown()).toEqual({ comments: ['a', 'b'], count: 2 }))
})
