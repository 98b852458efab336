// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalTree, start } from './process.mjs'

/** How long the app may take to show its page and start its server, on a slow machine; in ms. */
const START_LIMIT = 120_000
/** How long it may take to quit before it is killed; in ms. */
const QUIT_LIMIT = 15_000

/**
 * The program that `npm run dist -- --dir` leaves in release/.
 * @param {string} release
 * @param {{ platform?: NodeJS.Platform, arch?: string }} [system]
 */
export function packagedProgram(release, { platform = process.platform, arch = process.arch } = {}) {
  const suffix = arch === 'x64' ? '' : `-${arch}`
  if (platform === 'win32') return join(release, `win${suffix}-unpacked`, 'Vignette.exe')
  if (platform === 'darwin') return join(release, `mac${suffix}`, 'Vignette.app/Contents/MacOS/Vignette')
  return join(release, `linux${suffix}-unpacked`, 'vignette')
}

/**
 * What of the app does not work yet; null when everything does. Its fuses keep Playwright out, but Chromium lists its pages.
 * @param {string} userData
 */
export async function findProblem(userData) {
  const read = (/** @type {string} */ name) => readFileSync(join(userData, name), 'utf8')
  try {
    const [port] = read('DevToolsActivePort').split('\n')
    /** @type {{ url: string }[]} */
    const pages = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
    if (!pages.some(({ url }) => url.startsWith('app://bundle/login'))) {
      return `The page does not show the sign-in but ${pages.map(({ url }) => url).join(', ') || 'nothing'}.`
    }
  } catch (cause) {
    return `The page cannot be found: ${cause}`
  }
  try {
    /** @type {{ lastPort: number }} */
    const { lastPort } = JSON.parse(read('server.json'))
    const { status } = await fetch(`http://127.0.0.1:${lastPort}/auth/v1/settings`)
    // Without its key it refuses.
    return status === 401 ? null : `The server answers with ${status}.`
  } catch (cause) {
    return `The server does not answer: ${cause}`
  }
}

/**
 * Starts the packaged app on a data folder of its own, waits until its page and its embedded server work, and ends it.
 * @param {string} program
 * @param {{ userData: string, args?: string[] }} options `args` come before the app's own
 * @returns {Promise<{ problem: string | null, output: string }>}
 */
export async function tryPackagedApp(program, { userData, args = [] }) {
  const child = start(program, [...args, `--user-data-dir=${userData}`, '--remote-debugging-port=0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  /** @type {string | null} */
  let ended = null
  /** @type {Promise<void>} */
  const end = new Promise((done) => {
    const say = (/** @type {string} */ how) => {
      ended ??= how
      done()
    }
    child.once('close', (code, signal) => say(`It ended with ${signal ?? code}.`))
    child.once('error', (cause) => say(`It could not be started: ${cause.message}`))
  })

  const deadline = Date.now() + START_LIMIT
  let problem = await findProblem(userData)
  while (problem !== null && ended === null && Date.now() < deadline) {
    await Promise.race([end, sleep(250)])
    problem = await findProblem(userData)
  }
  problem = ended ?? problem
  signalTree(child, 'SIGTERM')
  const timer = setTimeout(() => signalTree(child, 'SIGKILL'), QUIT_LIMIT)
  await end
  clearTimeout(timer)
  return { problem, output }
}
