import type { Log } from '#/main/log'
import { texts } from '#/main/texts'
import type { Schedule } from '#/main/timers'
import type { BackendCommand, BackendFailure, BackendReport, RunningBackend } from '#/shared/backend-messages'
import type { BackendState } from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'
import type { BackendChild } from './backend-child'

/**
 * Longest silence during startup. The first start creates the data folder and the demo community, which is slow on a
 * busy machine.
 */
const START_TIMEOUT_MS = 120_000
/** Shutdown writes a snapshot of the whole database. */
const STOP_TIMEOUT_MS = 20_000
/** A backend that ran this long counts as healthy, and its restart counter is reset. */
const STABLE_MS = 60_000
const MAX_RESTARTS = 2
/** A process from an earlier run releases the folder once it has shut down. */
const MAX_RESTARTS_LOCKED = 5
const FIRST_RESTART_DELAY_MS = 500

/** Failures that a restart cannot fix. */
const FINAL_FAILURES: ReadonlySet<BackendFailure> = new Set(['newer', 'migration', 'damaged'])

export interface BackendParts {
  fork(): BackendChild
  /** The start options other than the port. */
  start: Omit<Extract<BackendCommand, { type: 'start' }>, 'type' | 'port' | 'restore'>
  /** Returns a free port, preferably the given one. */
  pickPort(preferred: number | null): Promise<number>
  /** The port of the previous run, reused so that the server URL stays the same. */
  lastPort: { read(): number | null; write(port: number): void }
  /** Whether the data folder contains a snapshot to restore. */
  hasSnapshot(): Promise<boolean>
  schedule: Schedule
  changed(state: BackendState): void
  /** The port changed: the page's policy allows the old URL until the page reloads. */
  moved(): void
  log: Log
}

export interface BackendProcess {
  /** Picks the port. Call before `url` and `start`. */
  prepare(): Promise<void>
  /** The backend's URL, valid before it is running. */
  url(): string
  state(): BackendState
  start(): void
  /** Starts the backend again after it gave up; does nothing otherwise. */
  retry(): void
  /** Like `retry`, but restores the newest snapshot. Does nothing without one. */
  restore(): void
  /**
   * The details of the last successful start, also during a restart. Rejects with `backend-failed` once it has given
   * up.
   */
  running(): Promise<RunningBackend>
  /** Shuts the backend down; resolves after the process has exited. */
  stop(): Promise<void>
}

interface Waiter {
  resolve(running: RunningBackend): void
  reject(cause: BridgeError): void
}

/**
 * Supervises the embedded backend. PGlite does not lock its folder, so a second process never starts before the first
 * has exited.
 */
export function createBackendProcess(parts: BackendParts): BackendProcess {
  const { log, schedule } = parts
  let port: number | null = null
  let child: BackendChild | null = null
  let shouldRun = false
  let attempts = 0
  let state: BackendState = { state: 'starting' }
  let running: RunningBackend | null = null
  /** Applies to the next launch only, even if that launch fails. */
  let willRestore = false
  let waiters: Waiter[] = []
  let stopping: (() => void)[] = []
  let cancelTimer: () => void = () => undefined

  function setState(next: BackendState): void {
    state = next
    parts.changed(next)
  }

  /** There is one timer, for the startup timeout, the stability check, the restart delay or the shutdown timeout. */
  function setTimer(milliseconds: number, task: () => void): void {
    cancelTimer()
    cancelTimer = schedule(milliseconds, task)
  }

  function requirePort(): number {
    if (port === null) throw new Error('the backend has no port before prepare()')
    return port
  }

  async function prepare(): Promise<void> {
    if (port !== null) return
    port = await parts.pickPort(parts.lastPort.read())
    parts.lastPort.write(port)
  }

  function settle(act: (waiter: Waiter) => void): void {
    const settled = waiters
    waiters = []
    settled.forEach(act)
  }

  function giveUp(message: string, canRestore: boolean): void {
    cancelTimer()
    log.error(`backend failed permanently: ${message}`)
    shouldRun = false
    setState({ state: 'failed', message, canRestore: false })
    settle(({ reject }) => reject(new BridgeError('backend-failed', message)))
    if (canRestore) void offerRestore()
  }

  /** Looks for a snapshot after the failure has been reported, so that the report is not delayed. */
  async function offerRestore(): Promise<void> {
    const failed = state
    const found = await parts.hasSnapshot().catch(() => false)
    if (found && state === failed && failed.state === 'failed') setState({ ...failed, canRestore: true })
  }

  function handleReady(report: RunningBackend): void {
    log.info(`backend ready on port ${report.port}`)
    running = report
    setTimer(STABLE_MS, () => {
      attempts = 0
    })
    setState(
      report.restoredFrom === null ? { state: 'ready' } : { state: 'restored', from: report.restoredFrom },
    )
    settle(({ resolve }) => resolve(report))
  }

  function launch(): void {
    const process = parts.fork()
    child = process
    let failure: Extract<BackendReport, { type: 'failed' }> | null = null
    let isStarting = true
    const restartStartTimeout = () =>
      setTimer(START_TIMEOUT_MS, () => {
        failure = { type: 'failed', code: 'failed', message: texts.backend.silent }
        process.kill()
      })
    process.onReport((report) => {
      if (report.type === 'log') {
        log[report.level](`backend: ${report.text}`)
        if (isStarting && shouldRun) restartStartTimeout()
        return
      }
      isStarting = false
      if (report.type === 'ready' && shouldRun) handleReady(report)
      else if (report.type === 'failed') failure = report
    })
    process.onExit((code) => {
      child = null
      cancelTimer()
      handleExit(code, failure)
    })
    process.send({
      type: 'start',
      port: requirePort(),
      ...parts.start,
      ...(willRestore && { restore: true }),
    })
    willRestore = false
    restartStartTimeout()
  }

  function handleExit(code: number, failure: Extract<BackendReport, { type: 'failed' }> | null): void {
    const stopped = stopping
    stopping = []
    for (const done of stopped) done()
    if (!shouldRun) return
    // `start` was called again during the shutdown.
    if (stopped.length > 0) {
      launch()
      return
    }
    log.warn(
      `backend ended with code ${code}${failure === null ? '' : ` (${failure.code}: ${failure.message})`}`,
    )
    attempts += 1
    const isFinal = failure !== null && FINAL_FAILURES.has(failure.code)
    const limit = failure?.code === 'locked' ? MAX_RESTARTS_LOCKED : MAX_RESTARTS
    if (isFinal || attempts > limit) {
      giveUp(failure?.message ?? texts.backend.crashed, !isFinal)
      return
    }
    setState({ state: 'restarting', attempt: attempts })
    setTimer(FIRST_RESTART_DELAY_MS * 2 ** (attempts - 1), () => {
      if (failure?.code === 'port') void launchOnNewPort()
      else launch()
    })
  }

  async function launchOnNewPort(): Promise<void> {
    const before = requirePort()
    try {
      port = await parts.pickPort(null)
      parts.lastPort.write(port)
    } catch (cause) {
      log.error('no port for the backend', cause)
      giveUp(texts.backend.unreachable, false)
      return
    }
    if (!shouldRun || child !== null) return
    if (port !== before) {
      running = null
      parts.moved()
    }
    launch()
  }

  function start(): void {
    if (shouldRun) return
    shouldRun = true
    attempts = 0
    setState({ state: 'starting' })
    if (child === null) launch()
  }

  return {
    prepare,
    start,
    retry: () => {
      if (state.state === 'failed') start()
    },
    restore: () => {
      if (state.state !== 'failed' || !state.canRestore) return
      willRestore = true
      start()
    },
    state: () => state,
    url: () => `http://127.0.0.1:${requirePort()}`,
    running: () => {
      if (state.state === 'failed') return Promise.reject(new BridgeError('backend-failed', state.message))
      if (running !== null) return Promise.resolve(running)
      return new Promise((resolve, reject) => waiters.push({ resolve, reject }))
    },
    stop: () => {
      shouldRun = false
      const process = child
      if (process === null) {
        cancelTimer()
        return Promise.resolve()
      }
      if (stopping.length === 0) {
        process.send({ type: 'shutdown' })
        setTimer(STOP_TIMEOUT_MS, () => {
          log.warn('backend did not stop in time')
          process.kill()
        })
      }
      return new Promise((resolve) => stopping.push(resolve))
    },
  }
}
