// @ts-check
import { createServer } from 'node:net'
import { BACKEND_CLI } from './paths.mjs'
import { signalTree, start } from './process.mjs'

/** How long the server may take until it serves; its first start on a slow disk included. In ms. */
const READY_LIMIT = 120_000
/** How long it may take to write its snapshot and stop, before it is ended. In ms. */
const STOP_LIMIT = 15_000

/**
 * @typedef {object} WebServerOptions
 * @property {string} data the data folder
 * @property {number} [port] 0, or left out: any free one
 * @property {boolean} [empty] without the demo community
 * @property {string[]} [quotas] what `--quota` takes, e.g. `messages=-/-`
 * @property {boolean} [echo] show what it writes
 * @property {readonly string[]} [nodeArgs] options of Node, e.g. `--liftoff-only`
 * @property {NodeJS.ProcessEnv} [env] added to this program's environment
 *
 * @typedef {object} WebServer
 * @property {string} url
 * @property {number} pid
 * @property {() => string} log what it has written so far
 * @property {Promise<number | null>} exited its exit code, once it ended
 * @property {() => Promise<void>} stop in good order
 * @property {() => Promise<void>} kill at once, as a power cut would
 */

/**
 * Starts the built browser host with its embedded backend and waits until it serves. Rejects with what the server
 * wrote if it ends before.
 * @param {WebServerOptions} options
 * @returns {Promise<WebServer>}
 */
export function startWebServer({
  data,
  port = 0,
  empty = false,
  quotas = [],
  echo = false,
  nodeArgs = [],
  env,
}) {
  const args = [
    ...nodeArgs,
    BACKEND_CLI,
    'web',
    '--port',
    String(port),
    '--data',
    data,
    ...(empty ? ['--empty'] : []),
  ]
  for (const quota of quotas) args.push('--quota', quota)
  const child = start(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let log = ''
  /** @type {Promise<number | null>} */
  const exited = new Promise((done) => {
    child.once('exit', (code) => done(code))
    child.once('error', () => done(null))
  })
  const end = async (/** @type {NodeJS.Signals} */ signal) => {
    signalTree(child, signal)
    const timer = setTimeout(() => signalTree(child, 'SIGKILL'), STOP_LIMIT)
    await exited
    clearTimeout(timer)
  }

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signalTree(child, 'SIGKILL')
      reject(new Error(`The server did not serve within ${READY_LIMIT / 1000} s.\n${log}`))
    }, READY_LIMIT)
    const read = (/** @type {Buffer} */ chunk) => {
      log += chunk.toString()
      const url = /^ready (https?:\/\/\S+)/m.exec(log)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve({
        url,
        pid: child.pid ?? 0,
        log: () => log,
        exited,
        stop: () => end('SIGTERM'),
        kill: () => end('SIGKILL'),
      })
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    if (echo) {
      child.stdout?.pipe(process.stdout)
      child.stderr?.pipe(process.stderr)
    }
    void exited.then((code) => {
      clearTimeout(timer)
      reject(new Error(`The server ended with ${code ?? 'a signal'} before it served.\n${log}`))
    })
  })
}

/**
 * Whether nothing listens on a port of this machine.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => done(true)))
  })
}

/**
 * The first free port from the wanted one on; 0, which means any, when a hundred are taken.
 * @param {number} wanted
 * @param {(port: number) => Promise<boolean>} [free]
 */
export async function freePort(wanted, free = isFree) {
  for (let port = wanted; port < wanted + 100; port += 1) {
    if (await free(port)) return port
  }
  return 0
}
