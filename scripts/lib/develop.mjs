// @ts-check
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, TARGETS } from './build.mjs'
import { desktopObstacleHere, fetchElectron } from './desktop.mjs'
import { ensureInstalled } from './install.mjs'
import { ROOT } from './paths.mjs'
import { endWithChildren } from './process.mjs'
import { runTool } from './tools.mjs'
import { startWebServer } from './web-server.mjs'

const PORT = 5173
/** What the browser host serves beside the page itself. */
const SERVER_PATHS = ['/auth/v1', '/rest/v1', '/realtime/v1', '/config.json']

/** What `npm run dev` does; ends when it is stopped. */
export async function develop() {
  const { values } = parseArgs({
    options: {
      /** Folder of the embedded backend's data, when there is no Electron. */
      data: { type: 'string', default: join(ROOT, 'data/dev') },
      port: { type: 'string', default: String(PORT) },
    },
  })
  /** @type {() => Promise<void>} */
  let close = async () => {}
  endWithChildren(() => close())
  await ensureInstalled()

  const obstacle = desktopObstacleHere()
  const runtime = obstacle === null ? await fetchElectron()() : null
  if (runtime?.ok) {
    const { ok } = await runTool('electron-vite', ['dev'])
    process.exit(ok ? 0 : 1)
  }
  const why = obstacle ?? (runtime?.ok === false ? runtime.reason : '')
  console.log(`Serving the renderer with hot reload for a browser: ${why}.`)
  close = await serveRenderer({ data: values.data, port: Number(values.port) })
}

/**
 * Vite's development server of the renderer, in front of a backend of its own.
 * @param {{ data: string, port: number }} options
 * @returns {Promise<() => Promise<void>>} stops both
 */
async function serveRenderer({ data, port }) {
  const backendOnly = TARGETS.filter(({ name }) => name === 'backend')
  if (!(await build({ quiet: true, targets: backendOnly }))) process.exit(1)
  const backend = await startWebServer({ data, echo: false })

  const { createServer, runnerImport } = await import('vite')
  /** @type {{ module: { default: { renderer?: import('vite').UserConfig } } }} */
  const { module } = await runnerImport(join(ROOT, 'electron.vite.config.ts'))
  // What it says of building means nothing here, and its entry is named from the project's folder.
  const { build: _, plugins = [], ...renderer } = module.default.renderer ?? {}
  const vite = await createServer({
    ...renderer,
    configFile: false,
    server: {
      host: '127.0.0.1',
      port,
      proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, proxyTo(backend.url)])),
    },
    plugins: [...plugins, sameOriginConfig(backend.url)],
  })
  await vite.listen()
  vite.printUrls()
  console.log('Changes in src/backend need a restart.')
  return async () => {
    await vite.close()
    await backend.stop()
  }
}

/**
 * The backend answers its own origin only; to it, the page comes from there.
 * @param {string} target
 * @returns {import('vite').ProxyOptions}
 */
function proxyTo(target) {
  return { target, changeOrigin: true, ws: true, headers: { origin: target } }
}

/**
 * The backend names its own address in /config.json; behind the proxy it is the page's.
 * @param {string} backend
 * @returns {import('vite').Plugin}
 */
function sameOriginConfig(backend) {
  return {
    name: 'same-origin-config',
    configureServer(server) {
      server.middlewares.use('/config.json', async (request, response, next) => {
        if (request.method !== 'GET') return next()
        try {
          const config = await (await fetch(`${backend}/config.json`)).json()
          const body = JSON.stringify({ ...config, url: `http://${request.headers.host}` })
          response.setHeader('content-type', 'application/json').end(body)
        } catch (error) {
          next(error)
        }
      })
    },
  }
}
