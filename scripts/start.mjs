// @ts-check
// `npm start`: opens the app in Electron, or in the browser host if that cannot be; exits with the app.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './lib/build.mjs'
import { desktopObstacle, downloadElectron, explainStartFailure, isUsernsRestricted } from './lib/desktop.mjs'
import { ROOT, userDataFolder } from './lib/paths.mjs'
import { exitCode, start, stopChildrenOnExit } from './lib/process.mjs'
import { openBrowser } from './lib/system-browser.mjs'
import { freePort, startWebServer } from './lib/web-server.mjs'

const PORT = 4173
/** If Electron fails within this time, it never showed a window, e.g. because the system blocks Chromium's sandbox. */
const START_FAILURE_MS = 10_000

const { values } = parseArgs({
  options: {
    /** Data folder of the browser host. */
    data: { type: 'string' },
    port: { type: 'string' },
    /** Skips Electron. */
    browser: { type: 'boolean', default: false },
  },
})
/** @type {() => Promise<void>} */
let close = async () => {}
stopChildrenOnExit(() => close())

const obstacle = values.browser ? '--browser is set' : desktopObstacle()
// Download and build run in parallel.
const electron = obstacle === null ? downloadElectron() : null
if (!(await build({ quiet: true }))) process.exit(1)

const runtime = electron === null ? null : await electron()
const why = runtime?.ok ? await openElectron(runtime.executable) : (obstacle ?? runtime?.reason ?? '')
if (why === null) process.exit(0)

console.log(`Vignette runs in the browser instead of its own window: ${why}.`)
const wanted = Number(values.port ?? PORT)
const port = await freePort(wanted)
if (port !== wanted) console.log(`Port ${wanted} is in use.`)
const data = values.data ?? join(userDataFolder(), 'server')
try {
  const server = await startWebServer({ data, port, echo: true })
  close = server.stop
  openBrowser(server.url)
  console.log(`Open ${server.url} if it does not open by itself. Ctrl+C stops Vignette.`)
  process.exit((await server.exited) ?? 1)
} catch {
  // The server has already printed why it cannot start.
  process.exit(1)
}

/**
 * Runs the app in Electron until it is closed.
 * @param {string} executable
 * @returns {Promise<string | null>} why it could not start; null after a normal exit
 */
async function openElectron(executable) {
  console.log('Opening Vignette …')
  const startedAt = Date.now()
  const { ELECTRON_RUN_AS_NODE: _, ELECTRON_RENDERER_URL: __, ...env } = process.env
  const child = start(executable, ['.'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env })
  const code = await exitCode(child)
  if (code === 0) return null
  if (Date.now() - startedAt < START_FAILURE_MS)
    return explainStartFailure({ code, isRestricted: isUsernsRestricted() })
  process.exit(code ?? 1)
}
