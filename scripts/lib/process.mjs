// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { ROOT } from './paths.mjs'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const isWindows = process.platform === 'win32'

/** @type {Set<ChildProcess>} */
const running = new Set()

/** Some tools write colours even to a file or a pipe. */
const NO_COLOUR_ENV = { NO_COLOR: '1', FORCE_COLOR: '0' }

/**
 * Starts a program in its own process group, so that `signalTree` also reaches its children. On Windows a process group
 * would open a console window.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function start(command, args, options) {
  const child = spawn(command, args, { cwd: ROOT, detached: !isWindows, windowsHide: true, ...options })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** The exit code of a program; null if it was killed or could not be started. @param {ChildProcess} child @returns {Promise<number | null>} */
export const exitCode = (child) =>
  once(child, 'exit').then(
    ([code]) => code,
    () => null,
  )

/**
 * Sends a signal to a program and all its children, also to a program behind a shell. Elsewhere than on Windows, the
 * program must lead a process group (`start`, or `detached`). Windows has no signals: there it kills the tree.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 * @param {NodeJS.Platform} [platform]
 */
export function signalTree(child, signal, platform = process.platform) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group exited between the check and the call.
  }
}

/**
 * Sends SIGTERM to this process once the npm that runs it has exited. npm sends signals to a shell, and not every shell
 * forwards them: without this a killed `npm run web` would leave its server running.
 */
export function exitWithNpm() {
  if (isWindows || process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}

/**
 * On Ctrl-C or SIGTERM, stops all children and exits. A second Ctrl-C does not wait.
 * @param {() => Promise<void>} [close] runs before the exit, for ten seconds at most
 */
export function stopChildrenOnExit(close = async () => {}) {
  exitWithNpm()
  let isExiting = false
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, async () => {
      const code = 128 + constants.signals[signal]
      if (isExiting) process.exit(code)
      isExiting = true
      setTimeout(() => process.exit(code), 10_000).unref()
      await close().catch(() => {})
      process.exit(code)
    })
  }
  process.on('exit', () => {
    for (const child of running) signalTree(child, 'SIGTERM')
  })
}

/**
 * @typedef {object} RunOptions
 * @property {boolean} [quiet] keep the output instead of showing it
 * @property {number} [timeoutMs] kill it after this time
 * @property {NodeJS.ProcessEnv} [env] added to this process' environment
 * @property {string} [cwd] defaults to the project folder
 *
 * @typedef {object} RunResult
 * @property {boolean} ok exited with code 0 before the timeout
 * @property {number | null} code
 * @property {boolean} timedOut
 * @property {string} output only if `quiet`
 */

/**
 * Runs a program and waits for it. Never throws: if the program cannot be started, the result is not `ok`.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export async function run(command, args, { quiet = false, timeoutMs, env, cwd = ROOT } = {}) {
  const output = quiet ? 'pipe' : 'inherit'
  const child = start(command, args, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...(process.stdout.isTTY ? {} : NO_COLOUR_ENV), ...env },
    cwd,
  })
  let text = ''
  let timedOut = false
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  const onTimeout = () => {
    timedOut = true
    signalTree(child, 'SIGKILL')
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs)
  const code = await once(child, 'close').then(
    ([exit]) => exit,
    (error) => {
      text += `${error.message}\n`
      return null
    },
  )
  clearTimeout(timer)
  return { ok: code === 0 && !timedOut, code, timedOut, output: text }
}
