import type { Page, Route, WebSocket, WebSocketRoute } from '@playwright/test'

interface Matching {
  /** Only requests with this method; all when left out. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD'
}

/** A connection that Playwright keeps open may be closed by the server in the moment it is used again. */
export const RETRY_STALE = { maxRetries: 2 }

type Undo = () => Promise<void>

/** The routes it makes stay: Chromium lets requests slip by while Playwright ends or begins to intercept them. */
async function intercept(
  page: Page,
  url: RegExp,
  { method }: Matching,
  handle: (route: Route) => Promise<void>,
): Promise<Undo> {
  let isOver = false
  await page.route(url, (route) => {
    const isMeant = !isOver && (method === undefined || route.request().method() === method)
    return isMeant ? handle(route) : route.fallback()
  })
  return async () => {
    isOver = true
  }
}

/** Lets matching requests fail as without a network, until the function it gives is called. */
export function failRequests(page: Page, url: RegExp, matching: Matching = {}): Promise<Undo> {
  return intercept(page, url, matching, (route) => route.abort('connectionrefused'))
}

/** Lets matching requests reach the server and loses the answers on the way back, until the function it gives is called. */
export function loseAnswers(page: Page, url: RegExp, matching: Matching = {}): Promise<Undo> {
  return intercept(page, url, matching, async (route) => {
    await route.fetch(RETRY_STALE)
    await route.abort('connectionreset')
  })
}

/** An answer in the server's place. */
interface Answer {
  status: number
  json: unknown
}

/**
 * Answers matching requests in the server's place, as PostgREST and GoTrue word their errors.
 *
 * @param matching `isStored` lets the server have the request first
 */
export function answerWith(
  page: Page,
  url: RegExp,
  answer: Answer,
  { isStored = false, ...matching }: Matching & { isStored?: boolean } = {},
): Promise<Undo> {
  return intercept(page, url, matching, async (route) => {
    if (isStored) await route.fetch(RETRY_STALE)
    await route.fulfill(answer)
  })
}

/** Requests that wait for the test. */
export interface HeldRequests {
  /** Resolves once a matching request has been made. */
  arrived: Promise<void>
  /** Number of requests so far. */
  count: () => number
  /** Lets the held requests continue to the server, or fails or answers them; all later ones continue. */
  release: Undo
}

/** Holds matching requests back, so that what shows meanwhile can be looked at without a race. */
export async function holdRequests(
  page: Page,
  url: RegExp,
  matching: Matching = {},
  end: 'pass' | 'refuse' | Answer = 'pass',
): Promise<HeldRequests> {
  const gate = latch()
  const first = latch()
  const held: Promise<void>[] = []
  const undo = await intercept(page, url, matching, (route) => {
    first.open()
    const passed = gate.opened.then(() => {
      if (end === 'pass') return route.continue()
      return end === 'refuse' ? route.abort('connectionrefused') : route.fulfill(end)
    })
    held.push(passed)
    return passed
  })
  return {
    arrived: first.opened,
    count: () => held.length,
    release: async () => {
      gate.open()
      await Promise.all(held)
      await undo()
    },
  }
}

/** An answer that waits for the test. */
export interface DelayedAnswer {
  /** Resolves once the server has answered. */
  answered: Promise<void>
  /** Lets the page have it. */
  release: () => Promise<void>
}

/** Keeps the answer to the first matching request back, which the server gave when it was asked. */
export async function delayAnswer(page: Page, url: RegExp, matching: Matching = {}): Promise<DelayedAnswer> {
  const gate = latch()
  const answered = latch()
  let passed: Promise<void> | undefined
  await intercept(page, url, matching, (route) => {
    if (passed !== undefined) return route.fallback()
    passed = route.fetch(RETRY_STALE).then(async (response) => {
      answered.open()
      await gate.opened
      await route.fulfill({ response })
    })
    return passed
  })
  return {
    answered: answered.opened,
    release: async () => {
      gate.open()
      await passed
    },
  }
}

function latch(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** The page's live connection, to be cut and given back. */
export interface LiveSwitch {
  cut: () => void
  /** Gives it back and says so, as the system does: no test waits for the next attempt, which may be half a minute off. */
  restore: () => Promise<void>
}

/** Puts a switch into the page's live connection; before the page is opened. */
export async function liveSwitch(page: Page): Promise<LiveSwitch> {
  const open = new Set<WebSocketRoute>()
  let isCut = false
  await page.routeWebSocket(/\/realtime\/v1\//, (socket) => {
    if (isCut) return void socket.close({ code: 1001 })
    socket.connectToServer()
    open.add(socket)
  })
  return {
    cut: () => {
      isCut = true
      for (const socket of open) void socket.close({ code: 1001 })
      open.clear()
    },
    restore: () => {
      isCut = false
      return page.evaluate(() => void window.dispatchEvent(new Event('online')))
    },
  }
}

/** In the server's messages about a member's channel; the first one is the reply to joining it. */
export const CHANGES_READY = '"realtime:member:'

/** The page's live connection, once the page receives the changes of its member. */
export async function joined(page: Page, ready: string = CHANGES_READY): Promise<WebSocket> {
  const socket = await page.waitForEvent('websocket', (each) => each.url().includes('/realtime/'))
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes(ready))
  return socket
}
