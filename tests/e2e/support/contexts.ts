import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Member } from './member'

interface PooledContext {
  context: BrowserContext
  /** Keeps the renderer process of the app's origin alive between tests, and with it the code compiled there. */
  anchor: Page
}

/**
 * Browser contexts that serve one test after another, because a new one costs twice as much CPU time: its HTTP cache is
 * empty and its first page needs a new renderer process. A context is handed out without cookies, storage and
 * permissions.
 */
export class ContextPool {
  readonly #browser: Browser
  readonly #origin: string
  readonly #idle: PooledContext[] = []
  readonly #taken = new Map<BrowserContext, PooledContext>()

  constructor(browser: Browser, origin: string) {
    this.#browser = browser
    this.#origin = origin
  }

  async take(): Promise<BrowserContext> {
    const pooled = this.#idle.pop() ?? (await this.#create())
    this.#taken.set(pooled.context, pooled)
    return pooled.context
  }

  /** Fills the localStorage of the app's origin before a page is opened. */
  async store(context: BrowserContext, items: Member['storage']): Promise<void> {
    await this.#anchorOf(context).evaluate((entries) => {
      for (const { name, value } of entries) localStorage.setItem(name, value)
    }, items)
  }

  /** Closes the test's pages. A context whose clock a test controlled stays controlled, so it is not reused. */
  async giveBack(context: BrowserContext): Promise<void> {
    const anchor = this.#anchorOf(context)
    this.#taken.delete(context)
    await Promise.all(context.pages().map((page) => (page === anchor ? undefined : page.close())))
    if (anchor.isClosed() || (await hasControlledClock(anchor))) return context.close()
    await context.unrouteAll()
    await context.clearPermissions()
    await context.setOffline(false)
    await context.clearCookies()
    await clearStorage(anchor)
    this.#idle.push({ context, anchor })
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ context }) => context.close()))
  }

  #anchorOf(context: BrowserContext): Page {
    const pooled = this.#taken.get(context)
    if (pooled === undefined) throw new Error('This context is not from the pool')
    return pooled.anchor
  }

  async #create(): Promise<PooledContext> {
    const context = await this.#browser.newContext({ baseURL: this.#origin })
    const anchor = await context.newPage()
    // A document of the app's origin that does not run the app.
    await anchor.goto(`${this.#origin}/config.json`)
    return { context, anchor }
  }
}

/** Unlike `context.setStorageState`, this keeps the HTTP cache and opens no page. */
async function clearStorage(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear())
  await deleteDatabases(page)
}

/** Deletes all databases of the page's origin, which no page may have open. */
export function deleteDatabases(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases()
    await Promise.all(
      databases.map(
        ({ name = '' }) =>
          new Promise((resolve, reject) => {
            const request = indexedDB.deleteDatabase(name)
            request.onsuccess = resolve
            request.onerror = () => reject(request.error)
          }),
      ),
    )
  })
}

/** Playwright's clock is installed in every page of a context, and cannot be removed. */
function hasControlledClock(page: Page): Promise<boolean> {
  return page.evaluate(() => '__pwClock' in globalThis)
}
