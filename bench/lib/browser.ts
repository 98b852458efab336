import { type Browser, chromium } from '@playwright/test'
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
