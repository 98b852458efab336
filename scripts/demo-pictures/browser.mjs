import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Software rendering, so that a picture comes out the same on every machine. */
const FLAGS = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-gpu-watchdog',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A headless Chromium with the darkroom in its page: CHROMIUM_PATH, an installed one, or Playwright's own. */
export async function openDarkroom() {
  const executablePath = process.env.CHROMIUM_PATH ?? USUAL_PLACES.find((path) => existsSync(path))
  const sandbox = process.getuid?.() !== 0
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: sandbox ? FLAGS : [...FLAGS, '--no-sandbox'],
    chromiumSandbox: sandbox,
  })
  const page = await browser.newPage()
  await page.addScriptTag({ path: join(import.meta.dirname, 'darkroom.js') })
  return {
    print: (job) => page.evaluate((settings) => window.darkroom.print(settings), job),
    close: () => browser.close(),
  }
}
