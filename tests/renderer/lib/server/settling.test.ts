import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { settlingFetch, withWaitingCounts } from '#/renderer/lib/server/settling'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const REST = 'https://abc.supabase.co/rest/v1'

/** A client whose server answers `settle` with these, one after the other. */
function clientOf(answers: (number | null)[], status = 201) {
  const settle = vi.fn(async () => answers.shift() ?? null)
  const send = settlingFetch(async () => new Response(null, { status }), settle)
  const write = (path: string, method = 'POST', body: string | null = null) =>
    send(`${REST}/${path}`, { method, body })
  return { settle, write }
}

test.each([
  ['likes', 'POST'],
  ['likes?post_id=eq.1', 'DELETE'],
  ['comment_likes', 'POST'],
  ['comments', 'POST'],
  ['follows', 'DELETE'],
  ['rpc/delete_comments', 'POST'],
  ['rpc/create_post', 'POST'],
  ['rpc/block_members', 'POST'],
  ['rpc/end_follow', 'POST'],
  ['profiles?id=eq.1', 'PATCH', '{"is_private":false}'],
])('FEED-08 adds up a second or two after %s (%s)', async (path, method, body?: string) => {
  const { settle, write } = clientOf([])
  await write(path, method, body)
  vi.advanceTimersByTime(999)
  expect(settle).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1001)
  expect(settle).toHaveBeenCalledTimes(1)
})

test.each([
  ['likes', 'GET'],
  ['saved_posts', 'POST'],
  ['messages', 'POST'],
  ['rpc/settle', 'POST'],
  ['profiles?id=eq.1', 'PATCH', '{"bio":"hm"}'],
])('does not after %s (%s)', async (path, method, body?: string) => {
  const { settle, write } = clientOf([])
  await write(path, method, body)
  await vi.runAllTimersAsync()
  expect(settle).not.toHaveBeenCalled()
})

test('does not after a like that was refused', async () => {
  const { settle, write } = clientOf([], 403)
  await write('likes')
  await vi.runAllTimersAsync()
  expect(settle).not.toHaveBeenCalled()
})

test('adds up once for several likes of a second', async () => {
  const { settle, write } = clientOf([])
  await write('likes')
  vi.advanceTimersByTime(900)
  await write('likes')
  await vi.runAllTimersAsync()
  expect(settle).toHaveBeenCalledTimes(1)
})

test('goes on as long as the server asks for it, at most three times', async () => {
  const two = clientOf([200, null, 400])
  await two.write('likes')
  await vi.runAllTimersAsync()
  expect(two.settle).toHaveBeenCalledTimes(2)
  const many = clientOf(Array.from({ length: 30 }, () => 200))
  await many.write('likes')
  await vi.runAllTimersAsync()
  expect(many.settle).toHaveBeenCalledTimes(3)
})

test('apps do not call at the same time, so that the calls of a crowd do not meet', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  onTestFinished(() => random.mockRestore())
  const { settle, write } = clientOf([1000, null])
  await write('likes')
  await vi.advanceTimersByTimeAsync(1499)
  expect(settle).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(settle).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1499)
  expect(settle).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(settle).toHaveBeenCalledTimes(2)
})

test('a failure is left to the next one', async () => {
  const settle = vi.fn().mockRejectedValueOnce(new Error('busy')).mockResolvedValue(null)
  const send = settlingFetch(async () => new Response(null, { status: 201 }), settle)
  for (const calls of [1, 2]) {
    await send(`${REST}/likes`, { method: 'POST' })
    await vi.runAllTimersAsync()
    expect(settle).toHaveBeenCalledTimes(calls)
  }
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('add up counters', new Error('busy'))
})

test('FEED-04 reads counters with what waits, on servers that are not on this machine', () => {
  const columns = 'id,like_count,comment_count,author:profiles(username),followed_by_count'
  expect(withWaitingCounts(columns, 'https://abc.supabase.co')).toBe(
    'id,like_count:shown_like_count,comment_count:shown_comment_count,author:profiles(username),followed_by_count',
  )
  expect(withWaitingCounts(columns, 'http://127.0.0.1:54321')).toBe(columns)
  expect(
    withWaitingCounts('reply_count,post_count,follower_count,following_count', 'https://abc.example'),
  ).toBe(
    'reply_count:shown_reply_count,post_count:shown_post_count,follower_count:shown_follower_count,following_count:shown_following_count',
  )
})
