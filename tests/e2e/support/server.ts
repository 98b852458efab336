import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerInfo } from '#/shared/server'
import { givenServer } from '#tests/given-server'
import { startWebServer, type WebServer } from '../../../scripts/lib/web-server.mjs'

/** A running browser host with its own data folder, in front of its embedded server or of a given one. */
export interface TestServer {
  /** Origin of the app and /config.json; of the API too, unless a server is given. */
  readonly url: string
  readonly dataFolder: string
  readonly pid: number
  /** The content of /config.json: address and key of the API, and the demo members. */
  readonly info: ServerInfo
  log(): string
  /** The requests that the server refused because it does not serve them, since the last call. */
  takeNotServed(): string[]
  /** Stops it with a snapshot; `restart` starts it again. */
  stop(): Promise<void>
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Serves the same folder on the same port again. */
  restart(): Promise<void>
  /** Ends it and removes its folder. */
  dispose(): Promise<void>
}

export type Community = 'empty' | 'demo'

/** Starts the worker's server: a browser host of the server that the environment names, otherwise an embedded one. */
export async function startWorkerServer(community: Community): Promise<TestServer> {
  const { address } = givenServer()
  if (address === null) return startTestServer(community)
  if (community !== 'empty')
    throw new Error('A given server has no demo community: choose tests with --grep @server')
  return startHost(community, { SUPABASE_URL: address.url, SUPABASE_PUBLISHABLE_KEY: address.publishableKey })
}

/** Starts an embedded server, which a test may stop and kill. */
export async function startTestServer(community: Community): Promise<TestServer> {
  const { address } = givenServer()
  if (address !== null) throw new Error('A given server cannot be stopped: choose tests with --grep @server')
  return startHost(community)
}

async function startHost(community: Community, env?: NodeJS.ProcessEnv): Promise<TestServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vignette-e2e-'))
  // Tests create long feeds, lists of comments and conversations within a minute; all other quotas are the defaults.
  const quotas = ['posts=-/-', 'comments=-/500', 'messages=-/-']
  // Optimizing PGlite's WebAssembly costs a second of CPU time for each start and gains less in a test.
  const start = (port: number) =>
    startWebServer({
      data: dataFolder,
      port,
      empty: community === 'empty',
      quotas,
      nodeArgs: ['--liftoff-only'],
      ...(env !== undefined && { env }),
    })
  let running: WebServer = await start(0)
  // Log of the processes before the last restart.
  let earlierLog = ''
  let lengthTaken = 0
  const { url } = running
  const response = await fetch(`${url}/config.json`)
  if (!response.ok) throw new Error(`/config.json: ${response.status}`)
  const info: ServerInfo = await response.json()
  return {
    url,
    dataFolder,
    info,
    get pid() {
      return running.pid
    },
    log: () => running.log(),
    takeNotServed: () => {
      const log = earlierLog + running.log()
      const end = log.lastIndexOf('\n') + 1
      const lines = log.slice(lengthTaken, end).match(/not served: .*/g) ?? []
      lengthTaken = end
      return lines
    },
    stop: () => running.stop(),
    kill: () => running.kill(),
    restart: async () => {
      earlierLog += running.log()
      running = await start(Number(new URL(url).port))
    },
    dispose: async () => {
      // A regular stop would write a snapshot of the folder first.
      await running.kill()
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
