// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from './paths.mjs'
import { runTool } from './tools.mjs'

/** How long a start waits for the download of Electron's runtime, in ms. */
const DOWNLOAD_WAIT = 10_000

const PACKAGE = join(ROOT, 'node_modules/electron')

/**
 * Why a machine cannot show a desktop window, regardless of what is installed; null if it can.
 * @param {{ platform?: NodeJS.Platform, uid?: number, env?: NodeJS.ProcessEnv }} [machine] defaults to this one
 */
export function desktopObstacle({
  platform = process.platform,
  uid = process.getuid?.(),
  env = process.env,
} = {}) {
  // Windows and macOS always have a display, and Chromium's sandbox rejects root only on Linux.
  if (platform === 'win32' || platform === 'darwin') return null
  if (uid === 0) return 'Electron does not run as root'
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display here'
  return null
}

const USERNS_RESTRICTION = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

/** Whether AppArmor denies user namespaces to programs without a profile, as on Ubuntu 24.04. */
export function isUsernsRestricted(file = USERNS_RESTRICTION) {
  return existsSync(file) && readFileSync(file, 'utf8').trim() === '1'
}

/**
 * Explains to the user why Electron exited right after its start.
 * @param {{ code: number | null, isRestricted: boolean }} exit
 */
export function explainStartFailure({ code, isRestricted }) {
  const problem = `Electron could not start on this system (${code ?? 'crashed'})`
  if (!isRestricted) return problem
  return `${problem}; AppArmor probably blocks Chromium's sandbox for the Electron in node_modules, as Ubuntu 24.04 does for programs without a profile (an installed Vignette has one)`
}

/** The installed Electron executable; null if its runtime has not been downloaded. Never starts a download. */
export function electronExecutable() {
  const pathFile = join(PACKAGE, 'path.txt')
  if (!existsSync(pathFile)) return null
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(PACKAGE, 'dist')
  const executable = join(folder, readFileSync(pathFile, 'utf8'))
  return existsSync(executable) ? executable : null
}

/**
 * What the desktop tests run on: Electron if its runtime is installed and can show a window, otherwise the stand-in, which alone can
 * imitate another platform (`STANDIN_PLATFORM`).
 * @returns {'electron' | 'standin'}
 */
export function desktopRuntime(env = process.env) {
  if (env.STANDIN_PLATFORM) return 'standin'
  return electronExecutable() !== null && desktopObstacle() === null ? 'electron' : 'standin'
}

/** A line about `desktopRuntime` for the test results. */
export function desktopRuntimeLine() {
  if (desktopRuntime() === 'electron') return 'desktop: real Electron'
  const obstacle = electronExecutable() === null ? null : desktopObstacle()
  const why = obstacle === null ? '' : ` (${obstacle})`
  return `desktop: the stand-in${why}; not yet run on real Electron`
}

const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|fetch failed/

/**
 * Explains to the user why the download of Electron failed.
 * @param {string} output the stack trace that install-electron printed
 */
export function explainDownloadFailure(output) {
  if (UNREACHABLE.test(output))
    return "Electron's runtime could not be downloaded: its server cannot be reached"
  const status = /\b(?:status|code|Response code)\D{0,3}([45]\d\d)\b/i.exec(output)?.[1]
  if (status) return `Electron's runtime could not be downloaded: its server answered ${status}`
  if (/ENOSPC/.test(output)) return "Electron's runtime could not be installed: the disk is full"
  return "Electron's runtime could not be installed"
}

/** @typedef {{ ok: true, executable: string } | { ok: false, reason: string }} Runtime */

/**
 * Starts to download Electron's runtime, which npm packages since Electron 42 no longer contain. Returns a function that
 * waits for it, at most DOWNLOAD_WAIT from the start. A slow download continues in the background for the next start.
 * @returns {() => Promise<Runtime>}
 */
export function downloadElectron() {
  const installed = electronExecutable()
  if (installed !== null) return async () => ({ ok: true, executable: installed })

  /** @returns {Promise<Runtime>} */
  const download = async () => {
    const { output } = await runTool('electron', [], { command: 'install-electron', quiet: true })
    const executable = electronExecutable()
    return executable === null
      ? { ok: false, reason: explainDownloadFailure(output) }
      : { ok: true, executable }
  }
  const reason = `Electron's runtime did not arrive within ${DOWNLOAD_WAIT / 1000} seconds (the download continues for the next start)`
  const first = Promise.race([
    download(),
    sleep(DOWNLOAD_WAIT, { ok: /** @type {const} */ (false), reason }, { ref: false }),
  ])
  return () => first
}
