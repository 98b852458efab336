// @ts-check
// Takes screenshots of the app: node scripts/screenshots.mjs FOLDER [screen or route …] [--only=1280x860-light] [--data=FOLDER]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { build } from './lib/build.mjs'
import { CHROMIUM_FLAGS, ensureChromium } from './lib/chromium.mjs'
import { ROOT } from './lib/paths.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { startWebServer } from './lib/web-server.mjs'

const SIZES = [
  { width: 2560, height: 1440 },
  { width: 1440, height: 900 },
  { width: 1280, height: 860 },
  { width: 900, height: 640 },
  { width: 360, height: 740 },
]
const SCHEMES = /** @type {const} */ (['light', 'dark'])
/** Windows with the wall, in pixels. */
const WALL_WIDTH = 2200
const COMPOSER_PHOTOS = ['swell', 'groynes', 'beachwalker', 'whitesteps'].map((name) =>
  join(ROOT, 'resources/demo', `${name}.webp`),
)

/**
 * @typedef {import('#/shared/server').ServerInfo} ServerInfo
 *
 * @typedef {object} Screen
 * @property {string} route ME is the member's username
 * @property {boolean} [isSignedOut]
 * @property {number} [minWidth] narrower windows do not have it
 * @property {(page: import('@playwright/test').Page) => Promise<unknown>} [open] what leads from the route to the screen
 */

/** @type {Readonly<Record<string, Screen>>} */
const SCREENS = {
  login: { route: '/login', isSignedOut: true },
  signup: { route: '/signup', isSignedOut: true },
  feed: { route: '/' },
  wall: {
    route: '/',
    minWidth: WALL_WIDTH,
    open: (page) => page.getByRole('tab', { name: 'Wall' }).click(),
  },
  table: {
    route: '/',
    open: async (page) => {
      await page.locator('[data-post]').nth(1).getByRole('time').first().click()
      await page.locator('[data-light-table]').waitFor()
    },
  },
  story: {
    route: '/',
    open: async (page) => {
      await page.getByRole('region', { name: 'Stories' }).getByRole('button', { name: /ilse/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    },
  },
  search: { route: '/?q=night' },
  explore: { route: '/?explore' },
  create: { route: '/create' },
  composer: {
    route: '/create',
    open: async (page) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose photos' }).click()
      await (await chooser).setFiles(COMPOSER_PHOTOS)
      await page.getByRole('textbox', { name: 'Alt text of photo 1' }).fill('The sun over a calm swell')
      await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Four mornings by the sea. #water')
      await page.getByText(/^Published with \d/).waitFor({ timeout: 120_000 })
    },
  },
  profile: { route: '/profile/ME' },
  'profile-photos': {
    route: '/profile/ME',
    open: (page) => page.getByRole('button', { name: 'Photos', exact: true }).click(),
  },
  'edit-profile': { route: '/edit-profile' },
  settings: { route: '/settings' },
  messages: { route: '/messages' },
  conversation: {
    route: '/messages',
    open: (page) =>
      page
        .getByRole('list')
        .getByRole('link', { name: /tomasz_w/ })
        .first()
        .click(),
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Filters views by a part of their name, e.g. `360` or `dark`. */
    only: { type: 'string', default: '' },
    /** Data folder; defaults to a new demo community. */
    data: { type: 'string' },
  },
})
const [folder, ...names] = positionals
if (folder === undefined) {
  console.error('Usage: node scripts/screenshots.mjs FOLDER [screen or route …] [--only=360] [--data=FOLDER]')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const screens = names.length === 0 ? Object.entries(SCREENS) : names.map(screenOf)

const scratch = mkdtempSync(join(tmpdir(), 'vignette-screenshots-'))
stopChildrenOnExit()
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
const executablePath = await ensureChromium()
if (executablePath === null || !(await build({ quiet: true }))) process.exit(1)

const server = await startWebServer({ data: values.data ?? join(scratch, 'data') })
/** @type {ServerInfo} */
const info = await (await fetch(`${server.url}/config.json`)).json()
const [member] = info.demo
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
const storage = member ? await signIn() : null

for (const { width, height } of SIZES) {
  for (const colorScheme of SCHEMES) {
    const view = `${width}x${height}-${colorScheme}`
    if (!view.includes(values.only)) continue
    for (const [name, { route, isSignedOut = false, minWidth = 0, open }] of screens) {
      if (width < minWidth) continue
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: { width, height },
        colorScheme,
        reducedMotion: 'reduce',
        ...(storage !== null && !isSignedOut && { storageState: storage }),
      })
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error') console.error(`${view} ${name}: ${message.text()}`)
      })
      await page.goto(route.replace('ME', member?.username ?? 'nobody'))
      await page.getByRole('main').waitFor()
      await waitUntilLoaded(page)
      await open?.(page)
      await waitUntilLoaded(page)
      // Away from what it would change, and so that the light table shows its controls.
      await page.mouse.move(2, 2)
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
      const path = resolve(folder, `${name}-${view}.png`)
      await page.screenshot({ path })
      console.log(path)
      await context.close()
    }
  }
}
await browser.close()
await server.stop()

/**
 * Waits until what is in view is loaded and decoded, twice: what arrives can ask for more.
 * @param {import('@playwright/test').Page} page
 */
async function waitUntilLoaded(page) {
  for (let round = 0; round < 2; round += 1) {
    await page.waitForFunction(isPainted)
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(500)
  }
  await page.waitForFunction(isPainted)
  await page.evaluate(async () => {
    await Promise.all([...document.images].filter(({ complete }) => complete).map((image) => image.decode()))
    await document.fonts.ready
  })
}

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

/** Signs in as the first demo member, and returns the storage of the page. */
async function signIn() {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/login')
  await page
    .getByRole('button', { name: /^Look around as / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/**
 * @param {string} name a screen or a route
 * @returns {[string, Screen]}
 */
function screenOf(name) {
  const known = Object.entries(SCREENS).find(([screen, { route }]) => name === screen || name === route)
  return known ?? [name.replace(/^\//, '').replaceAll(/[^a-z0-9-]+/gi, '-'), { route: name }]
}
