import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from '@playwright/test'
import { type Member, plantSession } from '#tests/e2e/support/member'
import { startTestServer, type TestServer } from '#tests/e2e/support/server'
import { CHROMIUM_FLAGS, ensureChromium } from '../../scripts/lib/chromium.mjs'

/** Runs a benchmark with its own browser and web server. */
export async function withBrowser<T>(
  community: Parameters<typeof startTestServer>[0],
  measure: (browser: Browser, server: TestServer) => Promise<T>,
): Promise<T> {
  const executablePath = await ensureChromium()
  if (executablePath === null) throw new Error('This benchmark needs a browser')
  const server = await startTestServer(community)
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
  try {
    return await measure(browser, server)
  } finally {
    await browser.close()
    await server.dispose()
  }
}

/** Opens a browser context with the app's window size, in which `member` is signed in to the server at `origin`. */
export async function openContext(
  browser: Browser,
  origin: string,
  member: Member | null,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 860 },
    ...options,
  })
  if (member !== null) await plantSession(context, origin, member)
  return context
}
