import type { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { followComments } from '#/renderer/features/post/comments/live'
import type { Comment } from '#/renderer/features/post/comments/queries'
import { logFailure } from '#/renderer/lib/core/logger'
import type { CommentNotice } from '#/renderer/lib/live'
import { createQueryClient } from '#/renderer/lib/queries/query-client'

const server = vi.hoisted(() => ({
  notify: (_notice: CommentNotice): void => undefined,
  join: (): void => undefined,
  left: vi.fn(),
  comments: new Map<string, unknown>(),
  read: vi.fn(),
}))

vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/lib/live', async (load) => ({
  ...(await load<object>()),
  joinPost: (_id: string, parts: { onComments: typeof server.notify; onJoined: () => void }) => {
    server.notify = parts.onComments
    server.join = parts.onJoined
    return server.left
  },
}))
vi.mock('#/renderer/lib/server/supabase', () => ({
  shownCounts: (columns: string) => columns,
  unwrap: (request: () => Promise<unknown>) => request(),
  supabase: () => ({
    from: () => ({
      select: () => ({ eq: () => ({ in: (_column: string, ids: string[]) => () => server.read(ids) }) }),
    }),
  }),
}))

const comment = (id: string, given: Partial<Comment> = {}) =>
  ({
    id,
    post_id: 'p',
    user_id: 'ada',
    parent_id: null,
    reply_count: 0,
    my_like: [],
    created_at: id,
    ...given,
  }) as Comment

const LIST = ['comments', 'p']
let client: QueryClient

/** Caches a list of comments, complete unless there is a next page. */
function cache(key: readonly string[], comments: Comment[], next?: object): void {
  client.setQueryData(key, { pages: [{ comments, next }], pageParams: [null] })
}

const listed = (key: readonly string[] = LIST) =>
  client
    .getQueryData<{ pages: { comments: Comment[] }[] }>(key)
    ?.pages.flatMap(({ comments }) => comments.map(({ id, reply_count }) => `${id} ${reply_count}`))

beforeEach(() => {
  client = createQueryClient()
  server.comments.clear()
  server.left.mockReset()
  server.read
    .mockReset()
    .mockImplementation(async (ids: string[]) => ids.flatMap((id) => server.comments.get(id) ?? []))
  vi.mocked(logFailure).mockClear()
  expect(followComments(client, 'p', 'me')).toBe(server.left)
})

const inserted = (ids: string[], threads: string[] | null = null) =>
  server.notify({ table: 'comments', type: 'INSERT', ids, threads })

test('FEED-15 new comments and replies are added, and their thread gets its count', async () => {
  cache(LIST, [comment('a')])
  cache([...LIST, 'a'], [])
  server.comments.set('b', comment('b'))
  server.comments.set('r', comment('r', { parent_id: 'a' }))
  server.comments.set('a', comment('a', { reply_count: 1 }))
  inserted(['b'])
  inserted(['r'], ['a'])
  await vi.waitFor(() => expect(listed()).toEqual(['a 1', 'b 0']))
  expect(listed([...LIST, 'a'])).toEqual(['r 0'])
  expect(server.read).toHaveBeenCalledExactlyOnceWith(['b', 'r', 'a'])
})

test('FEED-15 a comment of another member that belongs to a later page waits for it', async () => {
  cache(LIST, [comment('a')], { createdAt: 'a', id: 'a' })
  server.comments.set('b', comment('b'))
  server.comments.set('c', comment('c', { user_id: 'me' }))
  inserted(['b', 'c'])
  await vi.waitFor(() => expect(listed()).toEqual(['a 0', 'c 0']))
})

test('FEED-15 deleted comments are removed with their replies', async () => {
  cache(LIST, [comment('a'), comment('b')])
  server.notify({ table: 'comments', type: 'DELETE', ids: ['a'], threads: null })
  await vi.waitFor(() => expect(listed()).toEqual(['b 0']))
  expect(server.read).not.toHaveBeenCalled()
})

test('FEED-15 comments that cannot be read, or too many at once, are refetched', async () => {
  const refetched = vi.spyOn(client, 'invalidateQueries')
  server.read.mockRejectedValueOnce(new Error('offline'))
  inserted(['b'])
  await vi.waitFor(() =>
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('live comments', expect.any(Error)),
  )
  expect(refetched).toHaveBeenCalledWith({ queryKey: LIST })
  refetched.mockClear()
  inserted(Array.from({ length: 80 }, String))
  await vi.waitFor(() => expect(refetched).toHaveBeenCalledWith({ queryKey: LIST }))
  refetched.mockClear()
  server.join()
  await vi.waitFor(() => expect(refetched).toHaveBeenCalledWith({ queryKey: LIST }))
})
