// @ts-check
import { createServer } from 'node:net'
import { BACKEND_CLI } from './paths.mjs'
import { exitCode, signalTree, start } from './process.mjs'

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
export async function startWebServer({
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
  const exited = exitCode(child)
  const end = async (/** @type {NodeJS.Signals} */ signal) => {
    signalTree(child, signal)
    const timer = setTimeout(() => signalTree(child, 'SIGKILL'), STOP_TIMEOUT)
    await exited
    clearTimeout(timer)
  }

  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ why) => {
      signalTree(child, 'SIGKILL')
      reject(new Error(`${why}\n${log}`))
    }
    const timer = setTimeout(
      fail,
      START_TIMEOUT,
      `The server was not ready within ${START_TIMEOUT / 1000} s.`,
    )
    void exited.then((code) => fail(`The server exited with ${code ?? 'a signal'} before it was ready.`))
    for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
      if (echo) child[name]?.pipe(process[name])
      child[name]?.on('data', (chunk) => {
        log += chunk.toString()
        const [, address] = /^ready (https?:\/\/\S+)/m.exec(log) ?? []
        if (address === undefined) return
        clearTimeout(timer)
        resolve(address)
      })
    }
    timer.unref()
  })
  const pid = child.pid ?? 0
  return { url, pid, log: () => log, exited, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
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
