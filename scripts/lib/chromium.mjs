// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './process.mjs'
import { runTool } from './tools.mjs'

/** What Playwright turns off. Of several lists Chromium heeds the last, so ours repeats Playwright's; a test compares. */
const FEATURES_OFF_IN_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/** The suggestions under the address bar: two pages of Chromium's own for each window, half of what opening one costs. */
const FEATURES_OFF = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** What every Chromium of ours is started with: no sandbox in containers, no errands and no pages of its own. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...FEATURES_OFF_IN_PLAYWRIGHT, ...FEATURES_OFF].join(',')}`,
]

/**
 * Where Chrome, Chromium or Edge are usually installed. Ubuntu's chromium-browser is left out: a snap, which cannot
 * read the profile folders that tests give it.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
export function chromiumPlaces(platform, env) {
  if (platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    )
  }
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(
      (root) => root !== undefined,
    )
    return ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap((path) =>
      roots.map((root) => join(root, path)),
    )
  }
  return [
    // Debian's package of the browser that Playwright uses itself: it needs a third less CPU time per page.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/chromium',
    '/opt/google/chrome/chrome',
  ]
}

/**
 * A browser that is already here: CHROMIUM_PATH, else an installed one. Null when there is none.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @param {(path: string) => boolean} exists
 */
export function findChromium(platform = process.platform, env = process.env, exists = existsSync) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH
  return chromiumPlaces(platform, env).find(exists) ?? null
}

/** Playwright's own browser, when it has been downloaded. */
async function playwrightChromium() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : null
}

/**
 * Finds a browser for the end-to-end tests or gets one, and says what it does.
 * @returns {Promise<string | null>} its executable; null when there is none to be had, which has then been explained
 */
export async function ensureChromium() {
  const present = findChromium() ?? (await playwrightChromium())
  if (present !== null) return present

  console.log('No Chromium or Chrome is installed here; fetching the one Playwright offers …')
  await runTool('@playwright/test', ['install', 'chromium'], { quiet: true, timeoutMs: 180_000 })
  const fetched = await playwrightChromium()
  if (fetched !== null) return fetched

  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log('It could not be fetched; installing the chromium package of this system …')
    const options = { quiet: true, timeoutMs: 240_000, env: { DEBIAN_FRONTEND: 'noninteractive' } }
    await run('apt-get', ['update'], options)
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], options)
    const installed = findChromium()
    if (installed !== null) return installed
  }
  console.error(
    'The end-to-end tests need a browser: install Chrome or Chromium, or name one with CHROMIUM_PATH=/path/to/chrome.',
  )
  return null
}
