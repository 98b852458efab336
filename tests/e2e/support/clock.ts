import { expect, type Page, type Request, type WebSocket } from '@playwright/test'

/**
 * A page's clock, controlled by the test. Timeouts of requests and live channels depend on it, so it only advances
 * while none is pending.
 */
export interface Clock {
  /** Resolves when all requests of the page have a response and all its live channels are joined. */
  answered(): Promise<void>
  /** Moves the clock by this many seconds, each after all pending requests have a response. */
  pass(seconds: number): Promise<void>
  /** Skips this many seconds of a running clock at once, as a suspended computer does, after the page has a live channel. */
  leap(seconds: number): Promise<void>
}

/** Real time after the last request in which the page has handled its response. */
const QUIET_MS = 300

/** Installs the clock. Call it before the page is opened. */
export async function takeClock(page: Page): Promise<Clock> {
  const pending = new Set<Request>()
  let changedAt = performance.now()
  page.on('request', (request) => {
    // Requests of the previous page end with that page.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear()
    // The heartbeat's worker is created from a blob.
    if (!request.url().startsWith('http')) return
    pending.add(request)
    changedAt = performance.now()
  })
  const end = (request: Request) => {
    pending.delete(request)
    changedAt = performance.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const channels = followChannels(page)
  await page.clock.install()
  const unanswered = () => pending.size + channels.joining()
  const answered = () => expect.poll(unanswered, { intervals: [5, 20, 100] }).toBe(0)
  /** A response often causes the next request: also waits until none has started or ended for a while. */
  const quiet = () =>
    expect
      .poll(async () => {
        await handled(page)
        return unanswered() === 0 && performance.now() - changedAt > QUIET_MS
      })
      .toBe(true)
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      await answered()
      await page.clock.runFor(1_000)
    }
    await answered()
  }
  return {
    answered,
    pass,
    leap: async (seconds) => {
      await expect.poll(channels.joined, { intervals: [5, 20, 100] }).toBeGreaterThan(0)
      // No timer starts a request between the last response and the leap, which would skip its timeout.
      await stopTime(page)
      // The app sends requests once a channel is joined.
      await pass(1)
      await quiet()
      await page.clock.fastForward(seconds * 1_000)
      await page.clock.resume()
    },
  }
}

/** Resolves once the page has handled what has arrived, however slow the machine, and also while its clock stands still. */
function handled(page: Page): Promise<void> {
  return page.evaluate(() => scheduler.postTask(() => undefined, { priority: 'background' }))
}

/** The page's live channels, by the frames of its sockets: `[join reference, reference, topic, event, payload]`. */
function followChannels(page: Page): { joining: () => number; joined: () => number } {
  const joining = new Map<WebSocket, Set<string>>()
  let joined = 0
  page.on('websocket', (socket) => {
    const waiting = new Set<string>()
    joining.set(socket, waiting)
    socket.on('close', () => joining.delete(socket))
    socket.on('framesent', ({ payload }) => {
      const [, reference = '', , event] = readFrame(payload)
      if (event === 'phx_join') waiting.add(reference)
    })
    socket.on('framereceived', ({ payload }) => {
      const [, reference = '', , event] = readFrame(payload)
      if (event === 'phx_reply' && waiting.delete(reference)) joined += 1
    })
  })
  return {
    joining: () => [...joining.values()].reduce((sum, { size }) => sum + size, 0),
    joined: () => joined,
  }
}

function readFrame(payload: string | Buffer): string[] {
  return typeof payload === 'string' ? JSON.parse(payload) : []
}

/**
 * Stops the clock; `page.clock.runFor` moves it, by less than three seconds at a time while a request
 * may be pending: after that the app assumes that its connection is lost.
 */
export async function stopTime(page: Page): Promise<void> {
  // The moment may have passed before the call arrives; time is paused then, so that the next attempt succeeds.
  await expect(async () => {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 50))
  }).toPass()
}
