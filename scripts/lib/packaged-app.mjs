// @ts-check
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { run, signalTree, start } from './process.mjs'

/** How long the app may take to show its page, start its server and sign in; in ms. */
const START_TIMEOUT = 120_000
/** How long the app may take to quit before it is killed; in ms. Longer than src/main/window/quit-guard.ts waits. */
const QUIT_TIMEOUT = 45_000
/** How long the page may take to answer; in ms. */
const ANSWER_TIMEOUT = 40_000

/**
 * The executable that `npm run dist -- --dir` builds.
 * @param {string} release
 * @param {{ platform?: NodeJS.Platform, arch?: string }} [system]
 */
export function packagedExecutable(release, { platform = process.platform, arch = process.arch } = {}) {
  const suffix = arch === 'x64' ? '' : `-${arch}`
  if (platform === 'win32') return join(release, `win${suffix}-unpacked`, 'Vignette.exe')
  if (platform === 'darwin') return join(release, `mac${suffix}`, 'Vignette.app/Contents/MacOS/Vignette')
  return join(release, `linux${suffix}-unpacked`, 'vignette')
}

/**
 * Runs in the page: who is signed in, and where the session is stored. Presses the first demo member's button if asked to.
 * @param {boolean} signIn
 */
export async function readPage(signIn) {
  const isSignedIn = document.querySelector('button[aria-label="Account menu"]') !== null
  /** @type {HTMLButtonElement | null} */
  const demo = document.querySelector('button[aria-label^="Look around as "]:enabled')
  if (signIn && !isSignedIn) demo?.click()
  // Closing the window quits the app on Windows and Linux.
  if (isSignedIn) await window.desktop?.preferences.set({ keepRunningInTray: false })
  return { isSignedIn, persistence: await window.desktop?.session.persistence() }
}

/** @typedef {Awaited<ReturnType<typeof readPage>>} PageState */

/**
 * Calls `readPage` in the page. Rejects if the page does not answer.
 * @param {string} address of the page's debugger
 * @param {boolean} signIn
 * @returns {Promise<PageState>}
 */
function askPage(address, signIn) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { handshakeTimeout: ANSWER_TIMEOUT })
    const timer = setTimeout(() => socket.terminate(), ANSWER_TIMEOUT)
    socket.once('open', () => {
      const params = { expression: `(${readPage})(${signIn})`, awaitPromise: true, returnByValue: true }
      socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }))
    })
    socket.on('message', (data) => {
      const { id, result, error } = JSON.parse(String(data))
      if (id !== 1) return
      if (result?.result?.value) resolve(result.result.value)
      else reject(new Error(result?.exceptionDetails?.exception?.description ?? error?.message))
      socket.close()
    })
    socket.once('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new Error('the page does not answer'))
    })
  })
}

/**
 * Why sessions.json (src/main/session/session-vault.ts) keeps no sealed session; null if it does.
 * @param {string} text
 * @param {NodeJS.Platform} [platform]
 */
export function sealingProblem(text, platform = process.platform) {
  /** @type {{ keepPlain: boolean, entries: Record<string, { kind: string, data?: string }> }} */
  const { keepPlain, entries } = JSON.parse(text)
  const stored = Object.values(entries)
  if (stored.length === 0) return 'No session is stored.'
  if (keepPlain || stored.some(({ kind }) => kind !== 'sealed')) return 'The session is stored as plain text.'
  for (const { data = '' } of stored) {
    const bytes = Buffer.from(data, 'base64').toString('latin1')
    // Chromium's prefix for its hard-coded key, where Linux has no keyring.
    if (platform === 'linux' && bytes.startsWith('v10')) return 'The session is sealed without a keyring.'
    if (bytes === '' || bytes.includes('_token')) return 'The session is readable.'
  }
  return null
}

/**
 * The first thing that does not work, or null. The app's fuses block Playwright, so this reads Chromium's list of pages and
 * asks the page through Chromium's debugger.
 * @param {string} userData
 * @param {{ signIn: boolean }} options whether to sign in, or expect it
 */
export async function findProblem(userData, { signIn }) {
  const read = (/** @type {string} */ name) => readFileSync(join(userData, name), 'utf8')
  /** @type {{ url: string, webSocketDebuggerUrl: string } | undefined} */
  let page
  try {
    const [port] = read('DevToolsActivePort').split('\n')
    /** @type {{ url: string, webSocketDebuggerUrl: string }[]} */
    const pages = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
    page = pages.find(({ url }) => url.startsWith('app://bundle/'))
    if (page === undefined) {
      return `The page shows ${pages.map(({ url }) => url).join(', ') || 'nothing'} instead of the app.`
    }
  } catch (cause) {
    return `The page was not found: ${cause}`
  }
  try {
    /** @type {{ lastPort: number }} */
    const { lastPort } = JSON.parse(read('server.json'))
    const { status } = await fetch(`http://127.0.0.1:${lastPort}/auth/v1/settings`)
    // A request without the key is rejected.
    if (status !== 401) return `The server responded with ${status}.`
  } catch (cause) {
    return `The server does not respond: ${cause}`
  }
  try {
    const { isSignedIn, persistence } = await askPage(page.webSocketDebuggerUrl, signIn)
    if (!isSignedIn) return `${signIn ? 'Signing in' : 'Staying signed in'} did not work: ${page.url}`
    if (persistence !== 'secure')
      return `The key store does not work: the session is kept as '${persistence}'.`
    return sealingProblem(read('sessions.json'))
  } catch (cause) {
    return `The session is not known: ${cause}`
  }
}

/**
 * Asks the app to quit: with SIGTERM; on Windows by closing its window, since `readPage` turns the tray off.
 * @param {number} pid of the program that was started, maybe a script around the app
 * @param {string} userData
 */
async function requestQuit(pid, userData) {
  if (process.platform === 'win32') {
    await run('taskkill', ['/pid', String(pid)], { quiet: true })
    return
  }
  try {
    // A link to 'HOST-PID' by which Chromium knows the first instance.
    const lock = readlinkSync(join(userData, 'SingletonLock'))
    process.kill(Number(lock.slice(lock.lastIndexOf('-') + 1)), 'SIGTERM')
  } catch {
    try {
      process.kill(pid, 'SIGTERM')
    } catch {
      // It exited between the check and the call.
    }
  }
}

/**
 * Starts the packaged app, waits until page, embedded server and session are as expected, and quits it.
 * @param {string} executable
 * @param {{ userData: string, signIn: boolean, args?: string[], quitTimeout?: number }} options `args` come first on the
 *   command line
 * @returns {Promise<{ problem: string | null, output: string }>}
 */
async function tryOnce(executable, { userData, signIn, args = [], quitTimeout = QUIT_TIMEOUT }) {
  // Of the run before: its port may be another program's by now.
  rmSync(join(userData, 'DevToolsActivePort'), { force: true })
  const child = start(executable, [...args, `--user-data-dir=${userData}`, '--remote-debugging-port=0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  /** @type {string | null} */
  let exitProblem = null
  const exited = once(child, 'close')
    .then(([code, signal]) => `The app exited with ${signal ?? code}.`)
    .catch((cause) => `The app could not be started: ${cause.message}`)
    .then((reason) => {
      exitProblem = reason
    })

  const deadline = Date.now() + START_TIMEOUT
  let problem = await findProblem(userData, { signIn })
  while (problem !== null && exitProblem === null && Date.now() < deadline) {
    await Promise.race([exited, sleep(250)])
    problem = await findProblem(userData, { signIn })
  }
  problem = exitProblem ?? problem
  if (exitProblem === null && child.pid !== undefined) await requestQuit(child.pid, userData)
  const timer = setTimeout(() => {
    // Windows may not deliver the request; the desktop tests close the window there.
    if (process.platform !== 'win32') problem ??= `The app did not quit within ${quitTimeout / 1000} s.`
    signalTree(child, 'SIGKILL')
  }, quitTimeout)
  await exited
  clearTimeout(timer)
  return { problem, output }
}

/**
 * Signs in on the packaged app as a demo member, restarts it, and expects the member to be signed in still, with a session
 * that the system's key store has sealed.
 * @param {string} executable
 * @param {{ userData: string, args?: string[], quitTimeout?: number }} options
 */
export async function tryPackagedApp(executable, options) {
  const first = await tryOnce(executable, { ...options, signIn: true })
  if (first.problem !== null) return first
  const second = await tryOnce(executable, { ...options, signIn: false })
  return second.problem === null ? second : { ...second, problem: `After a restart: ${second.problem}` }
}

/**
 * `tryPackagedApp` in a new data folder, which is removed.
 * @param {string} executable
 */
export async function tryInNewFolder(executable) {
  const userData = mkdtempSync(join(tmpdir(), 'vignette-packaged-'))
  try {
    return await tryPackagedApp(executable, { userData })
  } finally {
    rmSync(userData, { recursive: true, force: true, maxRetries: 5 })
  }
}
