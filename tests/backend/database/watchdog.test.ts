import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BOUNDS, boundForRequest } from '#/backend/database/bounds'
import { createStatementState } from '#/backend/database/statement-state'
import { watchCall } from '#/backend/database/watchdog'

function watch(bound: { statementMs: number; callMs: number }) {
  const state = createStatementState()
  const onTimeout = vi.fn()
  const unwatch = watchCall({ state, bound, onTimeout })
  onTestFinished(unwatch)
  return { state, onTimeout, unwatch }
}

/** Uses the CPU, with pauses for timers. */
async function work(ms: number): Promise<void> {
  const usedBefore = process.cpuUsage().user
  while (process.cpuUsage().user - usedBefore < ms * 1_000) {
    const until = performance.now() + 20
    while (performance.now() < until);
    await pause(1)
  }
}

test('ends a statement that exceeds its limit, once', async () => {
  const { state, onTimeout } = watch({ statementMs: 300, callMs: 60_000 })
  state.begin()
  await work(600)
  await vi.waitFor(() => expect(onTimeout).toHaveBeenCalledOnce())
  await pause(200)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('ends neither many short statements nor work outside a statement', async () => {
  const { state, onTimeout } = watch({ statementMs: 5_000, callMs: 60_000 })
  for (let statement = 0; statement < 12; statement += 1) {
    state.begin()
    await work(20)
    state.end()
  }
  expect(onTimeout).not.toHaveBeenCalled()
  const idle = watch({ statementMs: 50, callMs: 60_000 })
  await work(300)
  expect(idle.onTimeout).not.toHaveBeenCalled()
})

/** Other tests of this process use CPU time too; the returned function sets the time used, in milliseconds. */
function useNoCpuTime(): (ms: number) => void {
  const cpuUsage = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 })
  onTestFinished(() => cpuUsage.mockRestore())
  return (ms) => cpuUsage.mockReturnValue({ user: ms * 1_000, system: 0 })
}

test('ends a statement that exceeds its limit only once it has used that much CPU time', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const setCpuTime = useNoCpuTime()
  const { state, onTimeout } = watch({ statementMs: 1_000, callMs: 60_000 })
  state.begin()
  vi.advanceTimersByTime(100)
  setCpuTime(900)
  vi.advanceTimersByTime(3_000)
  expect(onTimeout).not.toHaveBeenCalled()
  setCpuTime(1_000)
  vi.advanceTimersByTime(100)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('gives a statement that gets little CPU time five times its limit', async () => {
  useNoCpuTime()
  const { state, onTimeout } = watch({ statementMs: 1_000, callMs: 60_000 })
  const startedAt = performance.now()
  state.begin()
  await vi.waitFor(() => expect(onTimeout).toHaveBeenCalledOnce())
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(5_000)
})

test('ends a call that gets little CPU time after five times its limit, and stops watching a finished one', async () => {
  useNoCpuTime()
  const { onTimeout } = watch({ statementMs: 60_000, callMs: 200 })
  const answered = watch({ statementMs: 60_000, callMs: 200 })
  answered.unwatch()
  const startedAt = performance.now()
  await vi.waitFor(() => expect(onTimeout).toHaveBeenCalledOnce())
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(900)
  expect(answered.onTimeout).not.toHaveBeenCalled()
})

test('ends a call that works longer than its limit', async () => {
  const { onTimeout } = watch({ statementMs: 60_000, callMs: 300 })
  await work(600)
  await vi.waitFor(() => expect(onTimeout).toHaveBeenCalledOnce())
})

test.each([
  ['GET', '/rest/v1/posts', 0, BOUNDS.member],
  // The largest video takes a slow computer more than a second.
  ['GET', '/rest/v1/stories?select=media_type,media_url&id=eq.6f1c', 0, BOUNDS.row],
  ['GET', '/rest/v1/stories?id=in.(6f1c)&select=id,media_url', 0, BOUNDS.row],
  ['GET', '/rest/v1/stories?select=media_url&id=in.(6f1c,6f1d)', 0, BOUNDS.member],
  ['GET', '/rest/v1/stories?select=media_url&id=neq.6f1c', 0, BOUNDS.member],
  ['GET', '/rest/v1/stories?select=media_url,likes(user_id)&id=eq.6f1c', 0, BOUNDS.member],
  ['GET', '/rest/v1/stories?select=media_url&id=eq.6f1c&or=(content.ilike.*a*)', 0, BOUNDS.member],
  ['GET', '/rest/v1/stories?select=media_url&id=eq.6f1c&id=neq.6f1d', 0, BOUNDS.member],
  ['GET', '/rest/v1/stories?id=eq.6f1c', 0, BOUNDS.member],
  ['DELETE', '/rest/v1/stories?select=id&id=eq.6f1c', 0, BOUNDS.member],
  ['POST', '/rest/v1/rpc/following_posts?select=image_url&id=eq.6f1c', 0, BOUNDS.member],
  ['POST', '/rest/v1/posts', 10_000, BOUNDS.member],
  ['POST', '/rest/v1/stories', 28_000_000, BOUNDS.inlineMedia],
  // A large body alone does not extend the limit.
  ['POST', '/rest/v1/rpc/search_profiles', 28_000_000, BOUNDS.member],
  ['PATCH', '/rest/v1/posts', 28_000_000, BOUNDS.member],
  ['POST', '/auth/v1/token', 16_000, BOUNDS.member],
  ['POST', '/rest/v1/rpc/delete_account', 2, BOUNDS.accountDeletion],
])('the bound of %s %s with %i bytes', (method, path, bytes, bound) => {
  expect(boundForRequest(method, new URL(path, 'http://localhost'), bytes)).toBe(bound)
})
