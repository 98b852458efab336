// @ts-check
// `npm run dev`: the app with hot reload, in Electron or for a browser.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer, runnerImport } from 'vite'
import { build } from './lib/build.mjs'
import { desktopObstacle, downloadElectron } from './lib/desktop.mjs'
import { ROOT } from './lib/paths.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { runTool } from './lib/tools.mjs'
import { startWebServer } from './lib/web-server.mjs'

/** Paths that the dev server proxies to the backend. */
const SERVER_PATHS = ['/auth/v1', '/rest/v1', '/realtime/v1', '/storage/v1', '/config.json']

const { values } = parseArgs({
  options: {
    /** Data folder of the embedded backend, if Electron is not available. */
    data: { type: 'string', default: join(ROOT, 'data/dev') },
    port: { type: 'string', default: '5173' },
  },
})
/** @type {() => Promise<void>} */
let close = async () => {}
stopChildrenOnExit(() => close())

const obstacle = desktopObstacle()
const runtime = obstacle === null ? await downloadElectron()() : null
if (runtime?.ok) {
  const { ok } = await runTool('electron-vite', ['dev'])
  process.exit(ok ? 0 : 1)
}
const why = obstacle ?? (runtime?.ok === false ? runtime.reason : '')
console.log(`Serving the renderer with hot reload for a browser: ${why}.`)
close = await serveRenderer({ data: values.data, port: Number(values.port) })

/**
 * Starts a backend, and Vite's dev server of the renderer in front of it.
 * @param {{ data: string, port: number }} options
 * @returns {Promise<() => Promise<void>>} a function that stops both
 */
async function serveRenderer({ data, port }) {
  if (!(await build({ quiet: true }))) process.exit(1)
  const backend = await startWebServer({ data, echo: false })

  /** @type {{ module: { default: { renderer?: import('vite').UserConfig } } }} */
  const { module } = await runnerImport(join(ROOT, 'electron.vite.config.ts'))
  // The build settings do not apply to a dev server.
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
 * The backend accepts requests only from its own origin, so the proxy replaces it.
 * @param {string} target
 * @returns {import('vite').ProxyOptions}
 */
function proxyTo(target) {
  return { target, changeOrigin: true, ws: true, headers: { origin: target } }
}

/**
 * Replaces the backend's address in /config.json with the address of the proxy.
 * @param {string} backend
 * @returns {import('vite').Plugin}
 */
function sameOriginConfig(backend) {
  return {
    name: 'same-origin-config',
    configureServer(server) {
      server.middlewares.use('/config.json', (request, response, next) => {
        if (request.method !== 'GET') return next()
        fetch(`${backend}/config.json`)
          .then((config) => config.json())
          .then((config) =>
            response.end(JSON.stringify({ ...config, url: `http://${request.headers.host}` })),
          )
          .catch(next)
      })
    },
  }
}
