import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { chromium } from '@playwright/test'

const HERE = import.meta.dirname
const ORIGIN = 'https://renderer.example/'
/** The only bundle that works as a classic script. */
const MUXER = join(dirname(createRequire(import.meta.url).resolve('mediabunny')), 'mediabunny.min.cjs')

const BROWSER_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Software rendering gives the same picture on every machine. */
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

/** Opens the renderer in a headless Chromium: CHROMIUM_PATH, an installed browser, or Playwright's. */
export async function openRenderer() {
  const executablePath = process.env.CHROMIUM_PATH ?? BROWSER_PATHS.find((path) => existsSync(path))
  const sandbox = process.getuid?.() !== 0
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: sandbox ? FLAGS : [...FLAGS, '--no-sandbox'],
    chromiumSandbox: sandbox,
  })
  const page = await browser.newPage()
  // WebCodecs exists on secure origins only.
  await page.route(ORIGIN, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.goto(ORIGIN)
  for (const path of [MUXER, join(HERE, 'soundtrack.js'), join(HERE, 'renderer.js')])
    await page.addScriptTag({ path })
  return {
    renderImage: (job) => page.evaluate((settings) => window.renderer.renderImage(settings), job),
    renderVideo: (job) => page.evaluate((settings) => window.renderer.renderVideo(settings), job),
    deriveSizes: (job) => page.evaluate((settings) => window.renderer.deriveSizes(settings), job),
    readPixels: (job) => page.evaluate((settings) => window.renderer.readPixels(settings), job),
    close: () => browser.close(),
  }
}
