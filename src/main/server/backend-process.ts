import type { Log } from '#/main/log'
import { texts } from '#/main/texts'
import type { Schedule } from '#/main/timers'
import type { BackendCommand, BackendReport, RunningBackend } from '#/shared/backend-messages'
import type { BackendState } from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'
import type { BackendChild } from './backend-child'

/** Shutdown writes a snapshot of the whole database. Ending the process meanwhile loses no acknowledged write. */
const STOP_TIMEOUT_MS = 20_000
/** A backend that was started again and ends within this time waits for 'Try again'. */
const RESTART_EVERY_MS = 60_000

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
  /** Milliseconds of a clock that is never set. */
  now(): number
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
  /** Starts the backend again after it failed; does nothing otherwise. */
  retry(): void
  /** Like `retry`, but restores the newest snapshot. Does nothing without one. */
  restore(): void
  /** The details of the last successful start, also during a restart. Rejects with `backend-failed` once it has failed. */
  running(): Promise<RunningBackend>
  /** Shuts the backend down; resolves after the process has exited. */
  stop(): Promise<void>
}

interface Waiter {
  resolve(running: RunningBackend): void
  reject(cause: BridgeError): void
}

/**
 * Starts the embedded backend, and starts it again if it ends after it was ready: once a minute at most. It recovers from its
 * database's failures itself. PGlite does not lock its folder, so a second process never starts before the first has exited.
 */
export function createBackendProcess(parts: BackendParts): BackendProcess {
  const { log } = parts
  let port: number | null = null
  let child: BackendChild | null = null
  let shouldRun = false
  /** When a backend that was started again was ready. */
  let restartedAt = Number.NEGATIVE_INFINITY
  let state: BackendState = { state: 'starting' }
  let running: RunningBackend | null = null
  /** Applies to the next launch only, even if that launch fails. */
  let willRestore = false
  let waiters: Waiter[] = []
  let stopping: (() => void)[] = []

  function setState(next: BackendState): void {
    state = next
    parts.changed(next)
  }

  function requirePort(): number {
    if (port === null) throw new Error('the backend has no port before prepare()')
    return port
  }

  async function prepare(): Promise<void> {
    if (child !== null) return
    const before = port
    port = await parts.pickPort(before ?? parts.lastPort.read())
    if (port === before) return
    parts.lastPort.write(port)
    if (before === null) return
    running = null
    parts.moved()
  }

  function settle(act: (waiter: Waiter) => void): void {
    const settled = waiters
    waiters = []
    settled.forEach(act)
  }

  /** Looks for a snapshot after the failure has been reported, so that the report is not delayed. */
  async function fail(message: string, canRestore: boolean): Promise<void> {
    log.error(`backend failed: ${message}`)
    shouldRun = false
    const failed: BackendState = { state: 'failed', message, canRestore: false }
    setState(failed)
    settle(({ reject }) => reject(new BridgeError('backend-failed', message)))
    if (!canRestore) return
    const found = await parts.hasSnapshot().catch(() => false)
    if (found && state === failed) setState({ ...failed, canRestore: true })
  }

  async function launch(): Promise<void> {
    try {
      await prepare()
    } catch (cause) {
      log.error('no port for the backend', cause)
      return fail(texts.backend.stopped, false)
    }
    if (!shouldRun || child !== null) return
    const process = parts.fork()
    child = process
    let wasReady = false
    let failure: Extract<BackendReport, { type: 'failed' }> | null = null
    process.onReport((report) => {
      if (report.type === 'log') log[report.level](`backend: ${report.text}`)
      else if (report.type === 'failed') failure = report
      else if (report.type === 'ready' && shouldRun) {
        wasReady = true
        handleReady(report)
      }
    })
    process.onExit((code) => {
      child = null
      handleExit(code, wasReady, failure)
    })
    process.send({
      type: 'start',
      port: requirePort(),
      ...parts.start,
      ...(willRestore && { restore: true }),
    })
    willRestore = false
  }

  function handleReady(report: RunningBackend): void {
    log.info(`backend ready on port ${report.port}`)
    running = report
    if (state.state === 'restarting') restartedAt = parts.now()
    setState(
      report.restoredFrom === null ? { state: 'ready' } : { state: 'restored', from: report.restoredFrom },
    )
    settle(({ resolve }) => resolve(report))
  }

  function handleExit(
    code: number,
    wasReady: boolean,
    failure: Extract<BackendReport, { type: 'failed' }> | null,
  ): void {
    const stopped = stopping
    stopping = []
    for (const done of stopped) done()
    if (!shouldRun) return
    // `start` was called again during the shutdown.
    if (stopped.length > 0) return void launch()
    log.warn(
      `backend ended with code ${code}${failure === null ? '' : ` (${failure.code}: ${failure.message})`}`,
    )
    if (!wasReady || parts.now() - restartedAt < RESTART_EVERY_MS) {
      // No snapshot helps against the other failures.
      return void fail(failure?.message ?? texts.backend.stopped, (failure?.code ?? 'failed') === 'failed')
    }
    setState({ state: 'restarting' })
    void launch()
  }

  function start(): void {
    if (shouldRun) return
    shouldRun = true
    setState({ state: 'starting' })
    if (child === null) void launch()
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
      if (process === null) return Promise.resolve()
      return new Promise((resolve) => {
        stopping.push(resolve)
        if (stopping.length > 1) return
        process.send({ type: 'shutdown' })
        const cancel = parts.schedule(STOP_TIMEOUT_MS, () => {
          log.warn('backend did not stop in time')
          process.kill()
        })
        stopping.push(cancel)
      })
    },
  }
}
