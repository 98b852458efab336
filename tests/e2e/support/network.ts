import type { BrowserContext, Page, Route, WebSocket, WebSocketRoute } from '@playwright/test'
import { gate } from '#tests/gate'

interface Matching {
  /** Only requests with this method; by default all. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD'
}

/** The server may close a connection that Playwright keeps open at the moment it is used again. */
export const RETRY_STALE = { maxRetries: 2 }

type Undo = () => Promise<void>

/** Its routes are never removed: Chromium does not intercept requests while Playwright turns interception on or off. */
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

/** Fails matching requests as without a network, until the returned function is called. */
export function failRequests(page: Page, url: RegExp, matching: Matching = {}): Promise<Undo> {
  return intercept(page, url, matching, (route) => route.abort('connectionrefused'))
}

/** Passes matching requests to the server and drops the responses, until the returned function is called. */
export function loseAnswers(page: Page, url: RegExp, matching: Matching = {}): Promise<Undo> {
  return intercept(page, url, matching, async (route) => {
    await route.fetch(RETRY_STALE)
    await route.abort('connectionreset')
  })
}

/** A response that the server does not send. */
interface Answer {
  status: number
  json: unknown
}

/**
 * Responds to matching requests instead of the server, in the format of PostgREST and GoTrue.
 * @param matching with `isStored`, the server receives the request first
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

/** Makes the server one that does not check objects, like a hosted one: its links do not say that it has. Call it before the page is opened. */
export async function withoutChecks(page: Page): Promise<void> {
  await page.route(/\/object\/sign\/media$/, async (route) => {
    const response = await route.fetch(RETRY_STALE)
    const links: unknown = await response.json()
    const unchecked = Array.isArray(links) ? links.map((link) => ({ ...link, checked: undefined })) : links
    await route.fulfill({ response, json: unchecked })
  })
}

/** Held requests. */
export interface HeldRequests {
  /** Resolves once a matching request has been made. */
  arrived: Promise<void>
  /** Number of requests so far. */
  count: () => number
  /** Lets the held requests continue to the server, or fails or answers them; all later ones continue. */
  release: Undo
}

/** Holds matching requests, so that a test can check what the page shows meanwhile. */
export async function holdRequests(
  page: Page,
  url: RegExp,
  matching: Matching = {},
  end: 'pass' | 'refuse' | Answer = 'pass',
): Promise<HeldRequests> {
  const hold = gate()
  const first = gate()
  const held: Promise<void>[] = []
  const undo = await intercept(page, url, matching, (route) => {
    first.open()
    const passed = hold.opened.then(() => {
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
      hold.open()
      await Promise.all(held)
      await undo()
    },
  }
}

/** A held response. */
export interface DelayedAnswer {
  /** Resolves once the server has answered. */
  answered: Promise<void>
  /** Delivers it to the page. */
  release: () => Promise<void>
}

/** Holds the server's response to the first matching request. */
export async function delayAnswer(page: Page, url: RegExp, matching: Matching = {}): Promise<DelayedAnswer> {
  const hold = gate()
  const answered = gate()
  let passed: Promise<void> | undefined
  await intercept(page, url, matching, (route) => {
    if (passed !== undefined) return route.fallback()
    passed = route.fetch(RETRY_STALE).then(async (response) => {
      answered.open()
      await hold.opened
      await route.fulfill({ response })
    })
    return passed
  })
  return {
    answered: answered.opened,
    release: async () => {
      hold.open()
      await passed
    },
  }
}

/** Held responses. */
interface HeldAnswers {
  /** Number of requests that the server has answered so far. */
  count: () => number
  /** Delivers them to the page together; later ones pass. */
  release: Undo
}

/** Holds the server's responses to matching requests, so that the page receives them at the same time. */
export async function holdAnswers(page: Page, url: RegExp, matching: Matching = {}): Promise<HeldAnswers> {
  const hold = gate()
  const delivered: Promise<void>[] = []
  const undo = await intercept(page, url, matching, async (route) => {
    const response = await route.fetch(RETRY_STALE)
    const passed = hold.opened.then(() => route.fulfill({ response }))
    delivered.push(passed)
    await passed
  })
  return {
    count: () => delivered.length,
    release: async () => {
      hold.open()
      await Promise.all(delivered)
      await undo()
    },
  }
}

/** Takes the network from all pages of a context, and their live connections at once: Chromium spins while data waits in one. */
export async function goOffline(context: BrowserContext): Promise<void> {
  const muted = context.pages().map(async (page) => {
    // It ends with its page: its end would take the emulation of the context with it.
    const session = await context.newCDPSession(page)
    const { result } = await session.send('Runtime.evaluate', { expression: 'WebSocket.prototype' })
    const { objectId: prototypeObjectId = '' } = result
    const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId })
    const { objectId = '' } = objects
    const forEach = (act: string) =>
      session.send('Runtime.callFunctionOn', { objectId, functionDeclaration: `function () { ${act} }` })
    await forEach('for (const socket of this) socket.send = () => undefined')
    return () => forEach('for (const socket of this) if (socket.readyState === 1) socket.close()')
  })
  const closing = await Promise.all(muted)
  await context.setOffline(true)
  await Promise.all(closing.map((close) => close()))
}

/** Interrupts and restores the page's live connection. */
export interface LiveSwitch {
  cut: () => void
  /** Restores it and fires the system's event, so that no test waits up to half a minute for the next attempt. */
  restore: () => Promise<void>
}

/** Makes the page's live connection interruptible. Call it before the page is opened. */
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

/** Part of every message of a member's channel. The first such message is the reply to the join. */
export const CHANGES_READY = '"realtime:member:'

/** The page's live connection, once the page receives the changes of its member. */
export async function joined(page: Page, ready: string = CHANGES_READY): Promise<WebSocket> {
  const socket = await page.waitForEvent('websocket', (each) => each.url().includes('/realtime/'))
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes(ready))
  return socket
}
