import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { bridgeCalls } from '#/shared/bridge'

type PendingWork = typeof import('#/renderer/lib/core/pending-work-store')
let allFinished: PendingWork['allFinished']
let finishWhenAsked: PendingWork['finishWhenAsked']
let requestsAnswered: PendingWork['requestsAnswered']
let trackedFetch: PendingWork['trackedFetch']
let waitUntil: PendingWork['waitUntil']

// A separate page for each test: work and listeners of another test would be reported in this one.
beforeEach(async () => {
  vi.resetModules()
  vi.mocked(logFailure).mockClear()
  ;({ allFinished, finishWhenAsked, requestsAnswered, trackedFetch, waitUntil } = await import(
    '#/renderer/lib/core/pending-work-store'
  ))
})

const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

/** Work that the test ends. */
function createWork() {
  let end: (cause?: Error) => void = () => undefined
  const promise = new Promise<void>((resolve, reject) => {
    end = (cause) => (cause === undefined ? resolve() : reject(cause))
  })
  return { promise, end }
}

/** Records when all work is finished. */
function watch() {
  const watched = { isOver: false }
  void allFinished().then(() => {
    watched.isOver = true
  })
  return watched
}

test('without pending work all is finished immediately', async () => {
  const watched = watch()
  await settle()
  expect(watched.isOver).toBe(true)
})

test('waits for pending work and for work that starts meanwhile; failed work counts as finished', async () => {
  const [first, second] = [createWork(), createWork()]
  const failed = expect(waitUntil(first.promise)).rejects.toThrow('refused')
  const watched = watch()
  const also = waitUntil(second.promise)
  first.end(new Error('refused'))
  await failed
  await settle()
  expect(watched.isOver).toBe(false)
  second.end()
  await also
  await settle()
  expect(watched.isOver).toBe(true)
})

test('agrees to quit when all is finished, each time the app asks', async () => {
  let ask: (value: null) => void = () => undefined
  const cause = new Error('the main process is gone')
  const agree = vi
    .fn<(...args: unknown[]) => Promise<undefined>>(async () => undefined)
    .mockRejectedValueOnce(cause)
  const setBusy = vi.fn<(isBusy: boolean) => Promise<undefined>>(async () => undefined)
  finishWhenAsked({
    onAsked: (listener) => {
      ask = listener
      return () => undefined
    },
    agree,
    setBusy,
  })
  expect(setBusy).not.toHaveBeenCalled()
  const work = createWork()
  void waitUntil(work.promise)
  ask(null)
  await settle()
  expect(agree).not.toHaveBeenCalled()
  expect(setBusy.mock.calls).toEqual([[true]])
  work.end()
  await settle()
  expect(setBusy.mock.calls).toEqual([[true], [false]])
  expect(vi.mocked(logFailure).mock.calls).toEqual([['agree to quit', cause]])
  ask(null)
  await settle()
  expect(agree).toHaveBeenCalledTimes(2)
  for (const args of agree.mock.calls)
    expect(bridgeCalls['quit.agree'].args.safeParse(args).success).toBe(true)
})

test('waits for requests until they are answered or fail', async () => {
  await requestsAnswered()
  let respond: (response: Response) => void = () => undefined
  const send = vi
    .fn<typeof fetch>()
    .mockReturnValueOnce(new Promise((resolve) => (respond = resolve)))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const request = trackedFetch(send)
  const [first, second] = [request('/one'), request('/two')]
  const done = vi.fn()
  const waiting = requestsAnswered().then(done)
  await expect(second).rejects.toThrow('Failed to fetch')
  await settle()
  expect(done).not.toHaveBeenCalled()
  respond(new Response(null, { status: 204 }))
  expect((await first).status).toBe(204)
  await waiting
})

test('stops waiting for requests after one second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const done = vi.fn()
    void trackedFetch(() => new Promise(() => undefined))('/never')
    void requestsAnswered().then(done)
    await vi.advanceTimersByTimeAsync(999)
    expect(done).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toHaveBeenCalled()
  } finally {
    vi.useRealTimers()
  }
})

test('DESK-11 unfinished work that cannot be reported is logged', async () => {
  const cause = new Error('the main process is gone')
  finishWhenAsked({
    onAsked: () => () => undefined,
    agree: async () => undefined,
    setBusy: async () => Promise.reject(cause),
  })
  const work = createWork()
  void waitUntil(work.promise)
  await settle()
  expect(vi.mocked(logFailure).mock.calls).toEqual([['report unfinished work', cause]])
  work.end()
  await settle()
})
