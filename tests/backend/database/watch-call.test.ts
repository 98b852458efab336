import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BOUNDS, boundForRequest } from '#/backend/database/bounds'
import { watchCall } from '#/backend/database/watch-call'

function watch(limitMs: number) {
  const onTimeout = vi.fn()
  const unwatch = watchCall(limitMs, onTimeout)
  onTestFinished(unwatch)
  return { onTimeout, unwatch }
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

test('ends a call that works longer than its limit, once', async () => {
  const { onTimeout } = watch(300)
  await work(600)
  await vi.waitFor(() => expect(onTimeout).toHaveBeenCalledOnce())
  await pause(200)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('does not end a finished call', async () => {
  const { onTimeout, unwatch } = watch(200)
  await work(100)
  unwatch()
  await work(300)
  expect(onTimeout).not.toHaveBeenCalled()
})

/** A clock for the test, with the processor time that the process has used. */
function manualTime() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let cpuMs = 0
  const cpuUsage = vi.spyOn(process, 'cpuUsage')
  cpuUsage.mockImplementation((since) => ({ user: cpuMs * 1_000 - (since?.user ?? 0), system: 0 }))
  onTestFinished(() => cpuUsage.mockRestore())
  return {
    useCpu: (ms: number) => {
      cpuMs += ms
    },
  }
}

test('ends a call that exceeds its limit only once the process has used that much CPU time since the call began', () => {
  const { useCpu } = manualTime()
  useCpu(5_000)
  const { onTimeout } = watch(1_000)
  vi.advanceTimersByTime(100)
  useCpu(900)
  vi.advanceTimersByTime(3_000)
  expect(onTimeout).not.toHaveBeenCalled()
  useCpu(100)
  vi.advanceTimersByTime(100)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('gives a call that gets little CPU time five times its limit', () => {
  manualTime()
  const { onTimeout } = watch(1_000)
  vi.advanceTimersByTime(4_900)
  expect(onTimeout).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('time in which the process was suspended does not count', () => {
  const { useCpu } = manualTime()
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  const { onTimeout } = watch(1_000)
  useCpu(1_000)
  now.mockReturnValue(60_000)
  vi.advanceTimersByTime(50)
  expect(onTimeout).not.toHaveBeenCalled()
})

test.each([
  ['GET', '/rest/v1/posts', BOUNDS.member],
  // The largest video takes a slow computer more than a second.
  ['GET', '/rest/v1/stories?select=media_type,media_url&id=eq.6f1c', BOUNDS.media],
  ['GET', '/rest/v1/stories?id=in.(6f1c)&select=id,media_url', BOUNDS.media],
  ['GET', '/rest/v1/stories?select=media_url&id=in.(6f1c,6f1d)', BOUNDS.member],
  ['GET', '/rest/v1/stories?select=media_url&id=neq.6f1c', BOUNDS.member],
  ['GET', '/rest/v1/stories?select=media_url,likes(user_id)&id=eq.6f1c', BOUNDS.member],
  ['GET', '/rest/v1/stories?select=media_url&id=eq.6f1c&or=(content.ilike.*a*)', BOUNDS.member],
  ['GET', '/rest/v1/stories?select=media_url&id=eq.6f1c&id=neq.6f1d', BOUNDS.member],
  ['GET', '/rest/v1/stories?id=eq.6f1c', BOUNDS.member],
  ['DELETE', '/rest/v1/stories?select=id&id=eq.6f1c', BOUNDS.member],
  ['POST', '/rest/v1/rpc/following_posts?select=image_url&id=eq.6f1c', BOUNDS.member],
  ['POST', '/rest/v1/posts', BOUNDS.member],
  ['POST', '/rest/v1/stories', BOUNDS.member],
  ['PATCH', '/rest/v1/posts?select=id&id=eq.6f1c', BOUNDS.member],
  ['POST', '/auth/v1/token', BOUNDS.member],
  ['POST', '/rest/v1/rpc/delete_account', BOUNDS.accountDeletion],
])('the bound of %s %s', (method, path, bound) => {
  expect(boundForRequest(method, new URL(path, 'http://localhost'))).toBe(bound)
})
