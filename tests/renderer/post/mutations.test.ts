import { QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { postKeys } from '#/renderer/features/post/keys'
import { useDeleteCommentMutation } from '#/renderer/features/post/mutations'
import { useCommentsQuery } from '#/renderer/features/post/queries'
import { createQueryClient } from '#/renderer/lib/query-client'
import { callHook } from '../page-without-dom'

const server = vi.hoisted(() => ({
  /** The server's response to a deletion. */
  delete: async (_id: string): Promise<void> => undefined,
  logged: vi.fn(),
}))

vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/lib/logger', () => ({ logFailure: server.logged }))
vi.mock('#/renderer/lib/supabase', () => ({
  unwrap: (request: () => Promise<unknown>) => request(),
  supabase: () => ({
    from: () => ({ delete: () => ({ eq: (_column: string, id: string) => () => server.delete(id) }) }),
  }),
}))

const comment = (id: string, minute: number) => ({ id, created_at: `2026-03-01T12:0${minute}:00Z` })
const KEY = ['comments', 'p']

/** Caches the comments of a post in two pages; `read` refetches them. */
function openPost(read: () => Promise<unknown>) {
  const client = createQueryClient()
  const pages = [
    { comments: [comment('a', 1), comment('b', 2)], next: { createdAt: '', id: 'b' } },
    { comments: [comment('c', 3)], next: undefined },
  ]
  client.setQueryData(KEY, { pages, pageParams: [null, null] })
  client.setQueryData(postKeys.post('p'), { id: 'p', comment_count: 3 })
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: read, staleTime: 60_000 })
  onTestFinished(observer.subscribe(() => undefined))

  return {
    remove: callHook(() => useDeleteCommentMutation('p'), client).mutateAsync,
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
  await vi.waitFor(() => expect(shown()).toEqual({ comments: ['a', 'c'], count: 2 }))
})

test.each(['a', 'b', 'c'])(
  'FEED-11 comment %s returns to its place when the server refuses to delete it, also without a refetch',
  async (id) => {
    server.delete = () => Promise.reject(new Error('refused'))
    // The refetch never ends: the failure may last.
    const read = vi.fn(() => new Promise(() => undefined))
    const { remove, shown } = openPost(read)
    await expect(remove(id)).rejects.toThrow('refused')
    expect(shown()).toEqual({ comments: ['a', 'b', 'c'], count: 3 })
    expect(read).toHaveBeenCalledOnce()
    expect(server.logged).toHaveBeenCalledExactlyOnceWith('delete comment', expect.anything())
  },
)
