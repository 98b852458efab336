// @ts-check
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'
import { start } from './process.mjs'
import { toolPath } from './tools.mjs'

/** How long a start waits for Electron's runtime, and how long after it was not to be had the last time; in ms. */
export const RUNTIME_WAIT = { first: 10_000, again: 3_000 }

const PACKAGE = join(ROOT, 'node_modules/electron')
/** There while the last attempt to fetch the runtime failed. */
const FAILED_STAMP = join(ROOT, 'node_modules/.electron-not-fetched')

/**
 * Why this machine cannot show a desktop window whatever is installed; null when it can.
 * @param {{ platform: NodeJS.Platform, uid: number | undefined, env: NodeJS.ProcessEnv }} machine
 */
export function desktopObstacle({ platform, uid, env }) {
  // Windows and macOS always have a display, and Chromium's sandbox refuses root on Linux only.
  if (platform === 'win32' || platform === 'darwin') return null
  if (uid === 0) return 'Electron does not run as root'
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display here'
  return null
}

/** The same for the machine we are on. */
export function desktopObstacleHere() {
  return desktopObstacle({ platform: process.platform, uid: process.getuid?.(), env: process.env })
}

const USERNS_RESTRICTION = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

/** Whether AppArmor keeps programs without a profile from making user namespaces, as on Ubuntu 24.04. */
export function isUsernsRestricted(file = USERNS_RESTRICTION) {
  return existsSync(file) && readFileSync(file, 'utf8').trim() === '1'
}

/**
 * Why an Electron that ended at once may not have started, in words.
 * @param {{ code: number | null, isRestricted: boolean }} ending
 */
export function explainStart({ code, isRestricted }) {
  const what = `Electron could not start on this system (${code ?? 'crashed'})`
  if (!isRestricted) return what
  return `${what}; AppArmor probably keeps the Electron in node_modules from using Chromium's sandbox, as Ubuntu 24.04 does for programs without a profile (an installed Vignette brings one)`
}

/** The installed Electron executable; null while its runtime has not been fetched. Never starts a download. */
export function electronExecutable() {
  const pathFile = join(PACKAGE, 'path.txt')
  if (!existsSync(pathFile)) return null
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(PACKAGE, 'dist')
  const executable = join(folder, readFileSync(pathFile, 'utf8'))
  return existsSync(executable) ? executable : null
}

/**
 * What the desktop tests run on: Electron where its runtime is installed and can show a window, else the stand-in.
 * @returns {'electron' | 'standin'}
 */
export function desktopRuntime() {
  return electronExecutable() !== null && desktopObstacleHere() === null ? 'electron' : 'standin'
}

/** That, for whoever reads the results. */
export function desktopRuntimeLine() {
  if (desktopRuntime() === 'electron') return 'desktop: real Electron'
  const obstacle = electronExecutable() === null ? null : desktopObstacleHere()
  const why = obstacle === null ? '' : ` (${obstacle})`
  return `desktop: the stand-in${why}; not yet run on real Electron`
}

/**
 * What a failed download of Electron comes down to, in words.
 * @param {string} output of install-electron, a stack trace
 */
export function explainDownload(output) {
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|fetch failed/.test(output)
  ) {
    return "Electron's runtime could not be downloaded: its server cannot be reached"
  }
  const status = /\b(?:status|code|Response code)\D{0,3}([45]\d\d)\b/i.exec(output)?.[1]
  if (status) return `Electron's runtime could not be downloaded: its server answered ${status}`
  if (/ENOSPC/.test(output)) return "Electron's runtime could not be installed: the disk is full"
  return "Electron's runtime could not be installed"
}

/** @typedef {{ ok: true, executable: string } | { ok: false, reason: string }} Runtime */

/**
 * Begins to fetch Electron's runtime (since Electron 42 no installation brings it), and gives a function that waits
 * for it no longer than RUNTIME_WAIT from the beginning. A slow download goes on meanwhile, for the next start.
 * @returns {() => Promise<Runtime>}
 */
export function fetchElectron() {
  const installed = electronExecutable()
  if (installed !== null) return async () => ({ ok: true, executable: installed })

  const limit = existsSync(FAILED_STAMP) ? RUNTIME_WAIT.again : RUNTIME_WAIT.first
  const child = start(process.execPath, [toolPath('electron', 'install-electron')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  /** @type {Promise<Runtime>} */
  const ended = new Promise((done) => {
    const finish = () => {
      const executable = electronExecutable()
      if (executable !== null) {
        rmSync(FAILED_STAMP, { force: true })
        done({ ok: true, executable })
      } else {
        writeFileSync(FAILED_STAMP, '')
        done({ ok: false, reason: explainDownload(output) })
      }
    }
    child.once('close', finish)
    child.once('error', finish)
  })
  const late = new Promise((done) => {
    setTimeout(() => {
      const reason = `Electron's runtime did not arrive within ${limit / 1000} seconds (it goes on downloading for the next start)`
      done({ ok: false, reason })
    }, limit).unref()
  })
  return () => Promise.race([ended, /** @type {Promise<Runtime>} */ (late)])
}
