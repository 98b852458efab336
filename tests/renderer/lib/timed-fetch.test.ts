import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patienceFor, timedFetch } from '#/renderer/lib/timed-fetch'

const REST = 'http://127.0.0.1:1/rest/v1/messages'

/** Ends as the test says, or with the request. */
let answer: (response: Response) => void
const onDoubt = vi.fn()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onDoubt.mockReset()
  vi.stubGlobal(
    'fetch',
    (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        answer = resolve
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  )
})

afterEach(() => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a server that accepts and never answers is doubted after three seconds and given up after ten', async () => {
  const failed = expect(timedFetch(onDoubt)(REST)).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(2_999)
  expect(onDoubt).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onDoubt).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(7_000)
  await failed
  expect(onDoubt).toHaveBeenCalledTimes(1)
})

test('an answer in time is an answer', async () => {
  const answered = timedFetch(onDoubt)(REST)
  const response = new Response('[]')
  answer(response)
  await expect(answered).resolves.toBe(response)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onDoubt).not.toHaveBeenCalled()
})

test('who no longer wants the answer ends it at once', async () => {
  const wanted = new AbortController()
  const failed = expect(timedFetch(onDoubt)(REST, { signal: wanted.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
  wanted.abort()
  await failed
})

test.each([
  ['a read', REST, undefined, 3_000, 10_000],
  ['a photo of 2 million characters', REST, 'x'.repeat(2_000_000), 23_000, 30_000],
  ['a new token', 'http://127.0.0.1:1/auth/v1/token?grant_type=refresh_token', '{}', 3_000, 10_000],
  ['a code by mail', 'http://127.0.0.1:1/auth/v1/recover', '{}', 3_000, 30_000],
])('%s has the time it needs', (_what, address, body, doubt, end) => {
  expect(patienceFor(address, body)).toEqual({ doubt, end })
})
