import { readFileSync } from 'node:fs'
import type { BrowserContext, CDPSession, Download, Frame, Page, Request, Route } from '@playwright/test'
import { isOfApp, toApp, toPage } from './address'
import type { Display, Look, PageQuestions } from './electron/display'
import { createFinder } from './page/finder.js'
import { createCrossing, pageWorld, preloadWorld } from './page/worlds.js'
import { decode, type Encoded, encode } from './values'
import { AppEnded, type Asked } from './wire'

const FINDER_WORLD = 'stand-in finder'
/** Tells the app when the page enters or leaves full screen. */
const FULL_SCREEN = `document.addEventListener('fullscreenchange', () =>
  standinFullScreen(String(document.fullscreenElement !== null)))`
const PRELOAD_WORLD = 'Electron Isolated Context'
/** The parameters of a sandboxed preload (Electron 45, lib/sandboxed_renderer/preload.ts). */
const PRELOAD_PARAMETERS = 'require, process, exports, module, Buffer, global, setImmediate, clearImmediate'

/** Electron permissions that Playwright can grant, with Playwright's names. */
const PERMISSIONS = {
  'local-network-access': 'local-network-access',
  'clipboard-sanitized-write': 'clipboard-write',
  'clipboard-read': 'clipboard-read',
  notifications: 'notifications',
  geolocation: 'geolocation',
  media: 'camera',
} as const

/** What the user agent of Chromium calls the system. */
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Macintosh; Intel Mac OS X 10_15_7',
  linux: 'X11; Linux x86_64',
  win32: 'Windows NT 10.0; Win64; x64',
}

/** Sends a page event to the app, which the test may have killed meanwhile. */
function report(sent: Promise<void>): void {
  sent.catch((cause) => {
    if (!(cause instanceof AppEnded)) throw cause
  })
}

interface Context {
  id: number
  frameId: string
  origin: string
}

interface ShownWindow {
  page: Page
  session: CDPSession
  mainFrameId: string
  /** The preload worlds of the current documents. */
  worlds: Map<number, Context>
  /** The world of the main frame's current document that finds texts. */
  finder: number | null
  /** The app itself requested the next document. */
  isAppLoading: boolean
  isFocused: boolean
}

/** Shows the windows of a running app as pages of a browser context, which acts as the app's profile. */
export function createWindows(context: BrowserContext, app: Asked<PageQuestions>) {
  const windows = new Map<number, ShownWindow>()
  const arrivals: ((page: Page) => void)[] = []
  /** The URL of the latest tab that a click asked for, until its request is made. */
  let clickedTab: string | null = null

  const windowOf = (page: Page) => [...windows].find(([, shown]) => shown.page === page)
  const shown = (id: number) => {
    const window = windows.get(id)
    if (window === undefined) throw new Error(`there is no window ${id}`)
    return window
  }

  async function start(): Promise<void> {
    await context.route('**/*', (route) => handle(route).catch((cause) => endRequest(route, cause)))
    context.on('page', dismissPopup)
  }

  /** Routes every request: documents go through the app's navigation guards, its scheme through its protocol. */
  async function handle(route: Route): Promise<void> {
    const request = route.request()
    if (request.isNavigationRequest() && !(await mayNavigate(request))) return route.abort('aborted')
    if (!isOfApp(request.url())) return route.fallback()
    const { status, headers, body } = await app.answer({
      url: toApp(request.url()),
      method: request.method(),
      headers: await request.allHeaders(),
    })
    return route.fulfill({ status, headers, body: Buffer.from(body) })
  }

  /** Ends a request of a page whose app the test has killed meanwhile; the page may be closed too. */
  async function endRequest(route: Route, cause: unknown): Promise<void> {
    if (!(cause instanceof AppEnded)) throw cause
    await route.abort('aborted').catch(() => undefined)
  }

  async function mayNavigate(request: Request): Promise<boolean> {
    const url = toApp(request.url())
    const frame = frameOf(request)
    const found = frame === null ? undefined : windowOf(frame.page())
    // The app was asked when the click happened: see below.
    if (found === undefined && url === clickedTab) {
      clickedTab = null
      return false
    }
    // A page just created by window.open: its URL is checked here, and it closes.
    if (frame === null || found === undefined) return (await app.opening(openerId(), url)) === 'allow'
    const [id, window] = found
    const isMainFrame = frame.parentFrame() === null
    const isByApp = isMainFrame && window.isAppLoading
    if (isMainFrame) window.isAppLoading = false
    return app.leaving(id, { url, isMainFrame, isByApp })
  }

  /** Supports a single window. */
  function openerId(): number {
    const [id] = [...windows.keys()]
    if (id === undefined) throw new Error('no window is open')
    return id
  }

  async function dismissPopup(page: Page): Promise<void> {
    // A tab that a click asked for has no opener, and has failed to load.
    if ((await page.opener()) !== null || page.url() !== 'about:blank') await page.close()
  }
  const started = start()

  async function prepare(id: number, page: Page, { preload, platform }: Look): Promise<ShownWindow> {
    const session = await context.newCDPSession(page)
    const worlds = new Map<number, Context>()
    const { frameTree } = await session.send('Page.getFrameTree')
    const window: ShownWindow = {
      page,
      session,
      mainFrameId: frameTree.frame.id,
      worlds,
      finder: null,
      isAppLoading: false,
      isFocused: false,
    }

    session.on('Runtime.executionContextCreated', ({ context: { id: contextId, origin, name, auxData } }) => {
      if (name === FINDER_WORLD && auxData?.frameId === window.mainFrameId) window.finder = contextId
      if (name !== PRELOAD_WORLD) return
      worlds.set(contextId, { id: contextId, frameId: String(auxData?.frameId), origin })
      void tell(window, contextId, `focus(${window.isFocused})`)
    })
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      worlds.delete(executionContextId)
    })
    session.on('Runtime.executionContextsCleared', () => worlds.clear())
    session.on('Runtime.bindingCalled', ({ executionContextId, name, payload }) => {
      if (name === 'standinFullScreen') void fillScreen(id, window, payload === 'true')
      else void forwardCall(id, window, executionContextId, payload)
    })
    // A click that asks for a tab: Playwright routes the tab's first request only in the headless shell.
    session.on('Page.frameRequestedNavigation', ({ url, disposition }) => {
      if (disposition === 'currentTab' || !isOfApp(url)) return
      clickedTab = toApp(url)
      report(app.opening(id, clickedTab).then(() => undefined))
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined)
        report(app.moved(id, toApp(frame.url + (frame.urlFragment ?? '')), false))
    })
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === window.mainFrameId) report(app.moved(id, toApp(url), true))
    })
    page.on('load', () => report(app.loaded(id)))
    // The app may exit meanwhile.
    page.on('download', (download) => void save(download).catch(() => undefined))
    page.on('crash', () => report(app.crashed(id)))

    await session.send('Emulation.setUserAgentOverride', {
      userAgent: (await page.evaluate(() => navigator.userAgent)).replace(
        /\(.*?\)/,
        `(${SYSTEMS[platform] ?? SYSTEMS.linux})`,
      ),
    })
    await session.send('Page.enable')
    await session.send('Runtime.enable')
    await session.send('Runtime.addBinding', { name: 'standinToMain', executionContextName: PRELOAD_WORLD })
    await session.send('Runtime.addBinding', {
      name: 'standinFullScreen',
      executionContextName: FINDER_WORLD,
    })
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: FINDER_WORLD,
      source: inMainFrame(`${createFinder}\nglobalThis.finder = createFinder()\n${FULL_SCREEN}`),
    })
    // The main world first, which listens for the bridge that the preload exposes.
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: inMainFrame(`(${pageWorld})()`) })
    if (preload !== undefined) {
      const body = readFileSync(preload, 'utf8')
      const host = JSON.stringify({ platform })
      await session.send('Page.addScriptToEvaluateOnNewDocument', {
        worldName: PRELOAD_WORLD,
        source: inMainFrame(`(${preloadWorld})(function (${PRELOAD_PARAMETERS}) {${body}\n}, ${host})`),
      })
    }
    return window
  }

  /** Chromium asks for no permission here, so a refused page leaves full screen again. */
  async function fillScreen(id: number, window: ShownWindow, fills: boolean): Promise<void> {
    if (await app.fillsScreen(id, toApp(window.page.url()), fills)) return
    await inFinder(window, 'document.exitFullscreen()')
  }

  /** Cancels downloads that main prevents; Playwright saves the others without a dialog. */
  async function save(download: Download): Promise<void> {
    const url = toApp(download.url())
    if (!(await app.downloading(url, download.suggestedFilename()))) return download.cancel()
    await download.failure()
    await app.downloaded(url)
  }

  /** nodeIntegrationInSubFrames is off, so subframes get no preload. */
  function inMainFrame(call: string): string {
    return `if (window === window.top) (() => {\n${createCrossing}\n${call}\n})()`
  }

  async function forwardCall(
    id: number,
    window: ShownWindow,
    contextId: number,
    payload: string,
  ): Promise<void> {
    const call: { id: number; channel: string; args: Encoded } = JSON.parse(payload)
    const world = window.worlds.get(contextId)
    const frame =
      world === undefined
        ? null
        : { parent: world.frameId === window.mainFrameId ? null : {}, origin: toApp(world.origin) }
    const reply = await app.call(id, call.channel, decode(call.args) as unknown[], frame).then(
      (value) => ({ ok: true, value: encode(value) }),
      (cause: Error) => ({ ok: false, message: cause.message }),
    )
    await tell(window, contextId, `answer(${call.id}, ${JSON.stringify(reply)})`)
  }

  /** Calls into a preload world; ignored if the page has navigated. */
  async function tell(window: ShownWindow, contextId: number, what: string): Promise<void> {
    const expression = `standinFromMain.${what}`
    await window.session.send('Runtime.evaluate', { expression, contextId }).catch(() => undefined)
  }

  async function tellMainFrame(window: ShownWindow, what: string): Promise<void> {
    const world = [...window.worlds.values()].find(({ frameId }) => frameId === window.mainFrameId)
    if (world !== undefined) await tell(window, world.id, what)
  }

  async function inFinder<T>({ session, finder }: ShownWindow, expression: string): Promise<T> {
    if (finder === null) throw new Error('the page has not loaded')
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId: finder,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description)
    return result.value
  }

  /**
   * Chromium shows no permission prompt here, so the permissions that the app's check handler allows are granted in
   * advance.
   */
  async function grantPermissions(url: string): Promise<void> {
    const granted = await app.granted(Object.keys(PERMISSIONS), url)
    const names = granted.map((name) => PERMISSIONS[name as keyof typeof PERMISSIONS])
    await context.clearPermissions()
    if (isOfApp(toPage(url))) await context.grantPermissions(names, { origin: new URL(toPage(url)).origin })
  }

  const display: Display = {
    open: async (id, look) => {
      await started
      const page = await context.newPage()
      await page.setViewportSize({ width: look.width, height: look.height })
      windows.set(id, await prepare(id, page, look))
      for (const arrive of arrivals.splice(0)) arrive(page)
    },
    load: async (id, url) => {
      const window = shown(id)
      await grantPermissions(url)
      window.isAppLoading = true
      await window.page.goto(toPage(url))
    },
    reload: async (id) => {
      const window = shown(id)
      window.isAppLoading = true
      await window.page.reload()
    },
    go: async (id, way) => {
      const { session } = shown(id)
      const { currentIndex, entries } = await session.send('Page.getNavigationHistory')
      const entry = entries[currentIndex + (way === 'back' ? -1 : 1)]
      // The page that a new tab starts with is not in Electron's history.
      if (entry === undefined || entry.url === 'about:blank') return
      await session.send('Page.navigateToHistoryEntry', { entryId: entry.id })
    },
    send: (id, channel, args) => {
      const window = shown(id)
      return tellMainFrame(window, `send(${JSON.stringify(channel)}, ${JSON.stringify(encode(args))})`)
    },
    focus: (id, isFocused) => {
      const window = shown(id)
      window.isFocused = isFocused
      return tellMainFrame(window, `focus(${isFocused})`)
    },
    find: (id, text, options) =>
      inFinder(shown(id), `finder.find(${JSON.stringify(text)}, ${JSON.stringify(options)})`),
    stopFinding: (id, action) => inFinder(shown(id), `finder.stop(${JSON.stringify(action)})`),
    resize: (id, size) => shown(id).page.setViewportSize(size),
    close: async (id) => {
      const { page } = shown(id)
      windows.delete(id)
      await page.close()
    },
  }

  return {
    display,
    /** The page of the first window, when it exists. */
    firstPage: (): Promise<Page> =>
      new Promise((resolve) => {
        const [first] = windows.values()
        if (first === undefined) arrivals.push(resolve)
        else resolve(first.page)
      }),
    /** Closes the windows of an app that has exited. */
    closeAll: async () => {
      const pages = [...windows.values()].map(({ page }) => page)
      windows.clear()
      context.off('page', dismissPopup)
      // The test may have ended and closed its context.
      await Promise.all([context.unroute('**/*', handle), ...pages.map((page) => page.close())]).catch(
        () => undefined,
      )
    },
  }
}

/** The frame of a document request; null if Playwright does not know it yet, as for a new page of window.open. */
function frameOf(request: Request): Frame | null {
  try {
    return request.frame()
  } catch {
    return null
  }
}
