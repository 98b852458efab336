import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { chromium } from '@playwright/test'

const HERE = import.meta.dirname
const ORIGIN = 'https://darkroom.example/'
/** As a script for a page; its other bundles are modules. */
const MUXER = join(dirname(createRequire(import.meta.url).resolve('mediabunny')), 'mediabunny.min.cjs')

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
  // Encoders of films are there for secure origins only.
  await page.route(ORIGIN, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.goto(ORIGIN)
  for (const path of [MUXER, join(HERE, 'soundtrack.js'), join(HERE, 'darkroom.js')])
    await page.addScriptTag({ path })
  return {
    print: (job) => page.evaluate((settings) => window.darkroom.print(settings), job),
    shoot: (job) => page.evaluate((settings) => window.darkroom.shoot(settings), job),
    close: () => browser.close(),
  }
}
