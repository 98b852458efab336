// @ts-check
// Takes screenshots of the app: node scripts/screenshots.mjs FOLDER [route …] [--only=1280x860-light] [--data=FOLDER]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { build } from './lib/build.mjs'
import { CHROMIUM_FLAGS, ensureChromium } from './lib/chromium.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { startWebServer } from './lib/web-server.mjs'

const SIZES = [
  { width: 1280, height: 860 },
  { width: 900, height: 640 },
  { width: 360, height: 740 },
]
const SCHEMES = /** @type {const} */ (['light', 'dark'])
const SIGNED_OUT = ['/login', '/signup']
const SIGNED_IN = ['/', '/create', '/profile/ME', '/edit-profile', '/settings', '/messages']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Filters views by a part of their name, e.g. `360` or `dark`. */
    only: { type: 'string', default: '' },
    /** Data folder; defaults to a new demo community. */
    data: { type: 'string' },
  },
})
const [folder, ...routes] = positionals
if (folder === undefined) {
  console.error('Usage: node scripts/screenshots.mjs FOLDER [route …] [--only=360] [--data=FOLDER]')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })

const scratch = mkdtempSync(join(tmpdir(), 'vignette-screenshots-'))
stopChildrenOnExit()
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
const executablePath = await ensureChromium()
if (executablePath === null || !(await build({ quiet: true }))) process.exit(1)

const server = await startWebServer({ data: values.data ?? join(scratch, 'data') })
/** @type {import('../src/shared/server').ServerInfo} */
const info = await (await fetch(`${server.url}/config.json`)).json()
const [member] = info.demo
const storage = member ? await signIn(member) : null
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })

for (const { width, height } of SIZES) {
  for (const colorScheme of SCHEMES) {
    const view = `${width}x${height}-${colorScheme}`
    if (!view.includes(values.only)) continue
    for (const route of routes.length > 0 ? routes : [...SIGNED_OUT, ...SIGNED_IN]) {
      const isSignedIn = storage !== null && !SIGNED_OUT.includes(route)
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: { width, height },
        colorScheme,
        reducedMotion: 'reduce',
        ...(isSignedIn && { storageState: storage }),
      })
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error') console.error(`${view} ${route}: ${message.text()}`)
      })
      await page.goto(route.replace('ME', member?.username ?? 'nobody'), { waitUntil: 'networkidle' })
      // On a busy machine, the network can be idle before the page is drawn.
      await page.getByRole('main').waitFor()
      await page.waitForLoadState('networkidle')
      await page.waitForFunction(isPainted)
      const name = route === '/' ? 'feed' : route.slice(1).replaceAll(/[^a-z0-9-]+/gi, '-')
      const path = resolve(folder, `${name}-${view}.png`)
      await page.screenshot({ path })
      console.log(path)
      await context.close()
    }
  }
}
await browser.close()
await server.stop()

/** Whether what is in view is loaded: no skeletons, and no pictures with their placeholder. Runs in the page. */
function isPainted() {
  const isInView = (/** @type {Element} */ element) => {
    const { top, bottom, width } = element.getBoundingClientRect()
    return width > 0 && bottom > 0 && top < innerHeight
  }
  const loading = document.querySelectorAll('.animate-breathe, .animate-spinner')
  return (
    ![...loading].some(isInView) &&
    [...document.images]
      .filter(isInView)
      // A placeholder is the background, or, before the picture's link is known, a data URL.
      .every(({ complete, style, src }) => complete && style.background === '' && !src.startsWith('data:'))
  )
}

/**
 * Signs in and returns the storage state of a signed-in page.
 * @param {import('../src/shared/server').DemoMember} member
 */
async function signIn({ email, password }) {
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: info.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`Signing in as a demo member failed with status ${response.status}`)
  const name = `vignette.session.${info.storageKey}`
  return {
    cookies: [],
    origins: [{ origin: server.url, localStorage: [{ name, value: await response.text() }] }],
  }
}
