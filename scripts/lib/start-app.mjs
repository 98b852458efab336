// @ts-check
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { desktopObstacleHere, explainStart, fetchElectron, isUsernsRestricted } from './desktop.mjs'
import { ensureInstalled } from './install.mjs'
import { ROOT, userDataFolder } from './paths.mjs'
import { endWithChildren, signalTree, start } from './process.mjs'
import { openBrowser } from './system-browser.mjs'
import { freePort, startWebServer } from './web-server.mjs'

const PORT = 4173
/** An Electron that ends badly so soon never showed a window, e.g. where the system forbids Chromium's sandbox. */
const STARTED_AFTER_MS = 10_000

/** What `npm start` does; ends when the app does. */
export async function startApp() {
  const { values } = parseArgs({
    options: {
      /** Folder of the browser host's data. */
      data: { type: 'string' },
      port: { type: 'string' },
      /** Do not try Electron. */
      browser: { type: 'boolean', default: false },
    },
  })
  /** @type {() => Promise<void>} */
  let close = async () => {}
  endWithChildren(() => close())

  await ensureInstalled()
  const obstacle = values.browser ? 'you asked for it' : desktopObstacleHere()
  // Asked for before the build, which then takes nothing from the time the download has.
  const electron = obstacle === null ? fetchElectron() : null
  if (!(await build({ quiet: true }))) process.exit(1)

  const runtime = electron === null ? null : await electron()
  const why = runtime?.ok ? await openElectron(runtime.executable) : (obstacle ?? runtime?.reason ?? '')
  if (why === null) process.exit(0)

  console.log(`Vignette runs in the browser instead of a window of its own: ${why}.`)
  const wanted = Number(values.port ?? PORT)
  const port = await freePort(wanted)
  if (port !== wanted) console.log(`Port ${wanted} is taken.`)
  const data = values.data ?? join(userDataFolder(), 'server')
  try {
    const server = await startWebServer({ data, port, echo: true })
    close = server.stop
    openBrowser(server.url)
    console.log(`Open ${server.url} if it does not open by itself. Ctrl+C stops Vignette.`)
    process.exit((await server.exited) ?? 1)
  } catch {
    // The server has said itself why it cannot start.
    process.exit(1)
  }
}

/**
 * Shows the app in Electron until it is closed.
 * @param {string} executable
 * @returns {Promise<string | null>} why it could not, or null when it was there and is closed
 */
async function openElectron(executable) {
  console.log('Opening Vignette …')
  const startedAt = Date.now()
  const { ELECTRON_RUN_AS_NODE: _, ELECTRON_RENDERER_URL: __, ...env } = process.env
  const child = start(executable, ['.'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => signalTree(child, signal))
  }
  const code = await new Promise((done) => {
    child.once('exit', (exitCode) => done(exitCode))
    child.once('error', () => done(null))
  })
  if (code === 0) return null
  if (Date.now() - startedAt < STARTED_AFTER_MS)
    return explainStart({ code, isRestricted: isUsernsRestricted() })
  process.exit(code ?? 1)
}
