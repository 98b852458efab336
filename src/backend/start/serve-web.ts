import { randomBytes } from 'node:crypto'
import { LISTEN_HOST, startHttpHost } from '#/backend/http/http-host'
import { createWebRoutes } from '#/backend/web/web-routes'
import type { ServerAddress } from '#/shared/server'
import { rendererFolder } from './paths'
import { type BackendOptions, startBackend } from './start-backend'

export interface WebOptions
  extends Omit<BackendOptions, 'allowedOrigins' | 'allowsLoopbackOrigins' | 'extraRoutes' | 'port'> {
  port: number
  /** A server set by the environment, used instead of an embedded one. */
  fixed: ServerAddress | null
  rendererDir?: string
}

export interface WebHost {
  url: string
  /** ISO time of the snapshot that replaced damaged data, or null. */
  restoredFrom: string | null
  stop(): Promise<void>
}

/** The browser host: the app, /config.json and the embedded backend on one origin. */
export async function serveWeb(options: WebOptions): Promise<WebHost> {
  const { fixed, port, log } = options
  const routes = createWebRoutes({ rendererDir: options.rendererDir ?? rendererFolder(), fixed })

  if (fixed === null) {
    const { fixed: _, rendererDir: __, ...backend } = options
    return startBackend({
      ...backend,
      extraRoutes: (request, server, signingKey) => routes(request, server.port, server, signingKey),
    })
  }

  await options.spawned?.terminate()
  const http = await startHttpHost({
    port,
    access: { allowedOrigins: [], allowsLoopbackOrigins: false },
    // With a fixed server no choice is stored, so this key signs nothing.
    handle: async (request, _, ownPort) =>
      (await routes(request, ownPort, null, randomBytes(32))) ?? new Response('Not found', { status: 404 }),
    upgrades: new Map(),
    memberOf: async () => null,
    onError: (text) => log?.('error', text),
  })
  return { url: `http://${LISTEN_HOST}:${http.port}`, restoredFrom: null, stop: http.close }
}
