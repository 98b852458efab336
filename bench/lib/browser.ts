import { type Browser, chromium } from '@playwright/test'
import { startTestServer, type TestServer } from '#tests/e2e/support/server'
import { CHROMIUM_FLAGS, ensureChromium } from '../../scripts/lib/chromium.mjs'

/** Measures in a browser and on a web server that are there for this alone. */
export async function inBrowser<T>(
  community: Parameters<typeof startTestServer>[0],
  measure: (browser: Browser, server: TestServer) => Promise<T>,
): Promise<T> {
  const executablePath = await ensureChromium()
  if (executablePath === null) throw new Error('This measurement needs a browser')
  const server = await startTestServer(community)
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
  try {
    return await measure(browser, server)
  } finally {
    await browser.close()
    await server.dispose()
  }
}
