// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { run } from './process.mjs'
import { runTool } from './tools.mjs'

/** Chromium only uses the last --disable-features, so ours must include Playwright's list; a test compares them. */
const PLAYWRIGHT_DISABLED_FEATURES = [
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

/** The address bar suggestions: two internal pages per window, half the cost of opening it. */
const DISABLED_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Flags for every Chromium that tests and scripts start: they work in containers and disable background requests. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...PLAYWRIGHT_DISABLED_FEATURES, ...DISABLED_FEATURES].join(',')}`,
]

/**
 * The usual paths of Chrome, Chromium and Edge. Ubuntu's chromium-browser is not included: it is a snap, which cannot read
 * the profile folders of the tests.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
export function chromiumPaths(platform, env) {
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
    // Debian's package of the headless shell, which Playwright also prefers: it needs a third less CPU time per page.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/chromium',
    '/opt/google/chrome/chrome',
  ]
}

/**
 * The path of CHROMIUM_PATH or of an installed browser; null if there is none.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @param {(path: string) => boolean} exists
 */
export function findChromium(platform = process.platform, env = process.env, exists = existsSync) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH
  return chromiumPaths(platform, env).find(exists) ?? null
}

/** @type {Promise<string | null> | undefined} */
let ensured

/**
 * Finds or installs a browser for the end-to-end tests, once even if several suites need it, and logs each step.
 * @returns {Promise<string | null>} its executable; null, after printing why, if it cannot be installed
 */
export function ensureChromium() {
  ensured ??= findOrInstall()
  return ensured
}

async function findOrInstall() {
  const find = () =>
    findChromium() ?? (existsSync(chromium.executablePath()) ? chromium.executablePath() : null)
  if (find() === null) {
    console.log("No Chromium or Chrome is installed; downloading Playwright's …")
    const options = { command: 'playwright', quiet: true, timeoutMs: 180_000 }
    await runTool('@playwright/test', ['install', 'chromium'], options)
  }
  if (find() === null && process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log('The download failed; installing the Chromium package of this system …')
    const options = { quiet: true, timeoutMs: 240_000, env: { DEBIAN_FRONTEND: 'noninteractive' } }
    await run('apt-get', ['update'], options)
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], options)
  }
  if (find() === null) {
    console.error(
      'The end-to-end tests need a browser: install Chrome or Chromium, or set CHROMIUM_PATH=/path/to/chrome.',
    )
  }
  return find()
}
