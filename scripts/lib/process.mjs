// @ts-check
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ROOT } from './paths.mjs'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const isWindows = process.platform === 'win32'

/** @type {Set<ChildProcess>} */
const running = new Set()

/** Colours would only be noise in a file or a pipe; some tools write them there all the same. */
const PLAIN = { NO_COLOR: '1', FORCE_COLOR: '0' }

/**
 * Starts a program in a process group of its own (not on Windows, where a group would open a console window), so that
 * ending it also ends what it started.
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

/**
 * Sends a signal to a program and everything it started. Windows knows no signals: there it is ended at once.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function signalTree(child, signal) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (isWindows) {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group ended between the check and the call.
  }
}

/**
 * Ends this program as SIGTERM would once the npm that runs it is gone. npm hands a signal to the shell between the
 * two, and not every shell hands it on: without this a killed `npm run web` would leave its server behind.
 */
export function endWithNpm() {
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
 * Makes Ctrl-C and SIGTERM end everything that was started, then this program. A second Ctrl-C does not wait.
 * @param {() => Promise<void>} [close] what to do first, in good order; at most ten seconds
 */
export function endWithChildren(close = async () => {}) {
  endWithNpm()
  let isEnding = false
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, async () => {
      const code = 128 + constants.signals[signal]
      if (isEnding) process.exit(code)
      isEnding = true
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
 * @property {number} [timeoutMs] end it after so many milliseconds
 * @property {NodeJS.ProcessEnv} [env] added to this program's environment
 * @property {boolean} [shell]
 * @property {string} [cwd] the project's folder when left out
 *
 * @typedef {object} RunResult
 * @property {boolean} ok ended by itself with code 0
 * @property {number | null} code
 * @property {boolean} timedOut
 * @property {string} output what it wrote, when quiet
 */

/**
 * Runs a program to its end. Never throws: a program that cannot be started is a result that is not ok.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, { quiet = false, timeoutMs, env, shell = false, cwd = ROOT } = {}) {
  return new Promise((done) => {
    const output = quiet ? /** @type {const} */ ('pipe') : /** @type {const} */ ('inherit')
    const child = start(command, args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, ...(process.stdout.isTTY ? {} : PLAIN), ...env },
      shell,
      cwd,
    })
    let text = ''
    let timedOut = false
    const collect = (/** @type {Buffer} */ chunk) => {
      text += chunk.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true
            signalTree(child, 'SIGKILL')
          }, timeoutMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      done({ ok: false, code: null, timedOut, output: `${text}${error.message}\n` })
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      done({ ok: code === 0 && !timedOut, code, timedOut, output: text })
    })
  })
}
