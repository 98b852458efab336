// @ts-check
import { createServer } from 'node:net'
import { BACKEND_CLI } from './paths.mjs'
import { signalTree, start } from './process.mjs'

/** How long the server may take to start, including a first start on a slow disk; in ms. */
const START_TIMEOUT = 120_000
/** How long the server may take to write its snapshot and stop before it is killed; in ms. */
const STOP_TIMEOUT = 15_000

/**
 * @typedef {object} WebServerOptions
 * @property {string} data the data folder
 * @property {number} [port] defaults to 0, any free port
 * @property {boolean} [empty] without the demo community
 * @property {string[]} [quotas] values for `--quota`, e.g. `messages=-/-`
 * @property {boolean} [echo] show the server's output
 * @property {readonly string[]} [nodeArgs] options of Node, e.g. `--liftoff-only`
 * @property {NodeJS.ProcessEnv} [env] added to this process' environment
 *
 * @typedef {object} WebServer
 * @property {string} url
 * @property {number} pid
 * @property {() => string} log its output so far
 * @property {Promise<number | null>} exited its exit code
 * @property {() => Promise<void>} stop gracefully
 * @property {() => Promise<void>} kill immediately, like a power cut
 */

/**
 * Starts the built browser host with its embedded backend and waits until it is ready. Rejects with the server's output if
 * it exits before.
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
  const args = [...nodeArgs, BACKEND_CLI, 'web', `--port=${port}`, `--data=${data}`]
  if (empty) args.push('--empty')
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
    const timer = setTimeout(() => signalTree(child, 'SIGKILL'), STOP_TIMEOUT)
    await exited
    clearTimeout(timer)
  }

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signalTree(child, 'SIGKILL')
      reject(new Error(`The server was not ready within ${START_TIMEOUT / 1000} s.\n${log}`))
    }, START_TIMEOUT)
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
      reject(new Error(`The server exited with ${code ?? 'a signal'} before it was ready.\n${log}`))
    })
  })
}

/**
 * The first free port of this machine, starting with `wanted`.
 * @param {number} wanted
 * @returns {Promise<number>}
 */
export function freePort(wanted) {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(freePort(wanted + 1)))
    probe.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () => probe.close(() => done(wanted)))
  })
}
