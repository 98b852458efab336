// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalTree, start } from './process.mjs'

/** How long the app may take to show its page and start its server; in ms. */
const START_TIMEOUT = 120_000
/** How long the app may take to quit before it is killed; in ms. */
const QUIT_TIMEOUT = 15_000

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
 * The first thing that does not work, or null. The app's fuses block Playwright, so this reads Chromium's list of pages.
 * @param {string} userData
 */
export async function findProblem(userData) {
  const read = (/** @type {string} */ name) => readFileSync(join(userData, name), 'utf8')
  try {
    const [port] = read('DevToolsActivePort').split('\n')
    /** @type {{ url: string }[]} */
    const pages = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
    if (!pages.some(({ url }) => url.startsWith('app://bundle/login'))) {
      return `The page shows ${pages.map(({ url }) => url).join(', ') || 'nothing'} instead of the sign-in screen.`
    }
  } catch (cause) {
    return `The page was not found: ${cause}`
  }
  try {
    /** @type {{ lastPort: number }} */
    const { lastPort } = JSON.parse(read('server.json'))
    const { status } = await fetch(`http://127.0.0.1:${lastPort}/auth/v1/settings`)
    // A request without the key is rejected.
    return status === 401 ? null : `The server responded with ${status}.`
  } catch (cause) {
    return `The server does not respond: ${cause}`
  }
}

/**
 * Starts the packaged app, waits until its page and its embedded server work, and stops it.
 * @param {string} executable
 * @param {{ userData: string, args?: string[] }} options `args` come first on the command line
 * @returns {Promise<{ problem: string | null, output: string }>}
 */
export async function smokeTest(executable, { userData, args = [] }) {
  const child = start(executable, [...args, `--user-data-dir=${userData}`, '--remote-debugging-port=0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  /** @type {string | null} */
  let exitProblem = null
  /** @type {Promise<void>} */
  const exited = new Promise((done) => {
    const finish = (/** @type {string} */ reason) => {
      exitProblem ??= reason
      done()
    }
    child.once('close', (code, signal) => finish(`The app exited with ${signal ?? code}.`))
    child.once('error', (cause) => finish(`The app could not be started: ${cause.message}`))
  })

  const deadline = Date.now() + START_TIMEOUT
  let problem = await findProblem(userData)
  while (problem !== null && exitProblem === null && Date.now() < deadline) {
    await Promise.race([exited, sleep(250)])
    problem = await findProblem(userData)
  }
  problem = exitProblem ?? problem
  signalTree(child, 'SIGTERM')
  const timer = setTimeout(() => signalTree(child, 'SIGKILL'), QUIT_TIMEOUT)
  await exited
  clearTimeout(timer)
  return { problem, output }
}
