import type { BackendCommand, BackendFailure, BackendReport, RunningBackend } from '#/shared/backend-messages'
import type { BackendState } from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'
import type { BackendChild } from './backend-child'
import type { Log } from './log'
import { texts } from './texts'
import type { Schedule } from './timers'

/** How long it may say nothing while starting. A first start makes folder and community; a busy machine takes long. */
const START_LIMIT_MS = 120_000
/** Shutting down writes a snapshot of the whole database. */
const STOP_LIMIT_MS = 20_000
/** A backend that ran this long counts as healthy again: only quick deaths in a row give up. */
const STABLE_MS = 60_000
/** The third quick death in a row is the last. */
const MAX_RESTARTS = 2
/** A process of an earlier run that still shuts down lets go of the folder in its time. */
const MAX_RESTARTS_LOCKED = 5
const FIRST_DELAY_MS = 500

/** What another try cannot change. */
const FINAL_FAILURES: ReadonlySet<BackendFailure> = new Set(['newer', 'migration', 'damaged'])

export interface BackendParts {
  fork(): BackendChild
  /** What every start is told besides the port. */
  start: Omit<Extract<BackendCommand, { type: 'start' }>, 'type' | 'port' | 'restore'>
  /** A free port, the preferred one if possible. */
  pickPort(preferred: number | null): Promise<number>
  /** The port of last time, so that the page's address of the server stays the same. */
  lastPort: { read(): number | null; write(port: number): void }
  /** Whether the folder holds a snapshot to go back to. */
  hasSnapshot(): Promise<boolean>
  schedule: Schedule
  /** The state is another one now. */
  changed(state: BackendState): void
  /** The port had to change: the page's policy names the wrong one until it is loaded again. */
  moved(): void
  log: Log
}

export interface BackendProcess {
  /** Picks the port. Before `url` and `start`. */
  prepare(): Promise<void>
  /** Where the backend is, or will be. */
  url(): string
  state(): BackendState
  start(): void
  /** Starts it again after it gave up; otherwise nothing. */
  retry(): void
  /** The same from the newest snapshot, if there is one. */
  restore(): void
  /** What the backend said when it was ready, also while it restarts; rejects with `backend-failed` if it gave up. */
  running(): Promise<RunningBackend>
  /** Shuts down; resolves when the process is gone. */
  stop(): Promise<void>
}

interface Waiting {
  resolve(running: RunningBackend): void
  reject(cause: BridgeError): void
}

/**
 * Keeps the embedded backend running. PGlite takes no lock on its folder, so there is never a second process before
 * the first has exited.
 */
export function createBackendProcess(parts: BackendParts): BackendProcess {
  const { log, schedule } = parts
  let port: number | null = null
  let child: BackendChild | null = null
  let isWanted = false
  let attempts = 0
  let state: BackendState = { state: 'starting' }
  let running: RunningBackend | null = null
  /** The next launch goes back to the newest snapshot; only that one, whatever becomes of it. */
  let willRestore = false
  let waiting: Waiting[] = []
  let stopping: (() => void)[] = []
  let cancelTimer: () => void = () => undefined

  function become(next: BackendState): void {
    state = next
    parts.changed(next)
  }

  /** One timer at a time: patience while starting, stability while running, delay while dead, limit while stopping. */
  function after(milliseconds: number, task: () => void): void {
    cancelTimer()
    cancelTimer = schedule(milliseconds, task)
  }

  function pickedPort(): number {
    if (port === null) throw new Error('the backend has no port before prepare()')
    return port
  }

  async function prepare(): Promise<void> {
    if (port !== null) return
    port = await parts.pickPort(parts.lastPort.read())
    parts.lastPort.write(port)
  }

  function settle(act: (waiter: Waiting) => void): void {
    const waiters = waiting
    waiting = []
    waiters.forEach(act)
  }

  function giveUp(message: string, canRestore: boolean): void {
    cancelTimer()
    log.error(`backend given up: ${message}`)
    isWanted = false
    become({ state: 'failed', message, canRestore: false })
    settle(({ reject }) => reject(new BridgeError('backend-failed', message)))
    if (canRestore) void offerRestoring()
  }

  /** The folder is looked into afterwards: nobody waits for it to hear of the failure. */
  async function offerRestoring(): Promise<void> {
    const failed = state
    const found = await parts.hasSnapshot().catch(() => false)
    if (found && state === failed && failed.state === 'failed') become({ ...failed, canRestore: true })
  }

  function handleReady(report: RunningBackend): void {
    log.info(`backend ready on port ${report.port}`)
    running = report
    after(STABLE_MS, () => {
      attempts = 0
    })
    become(
      report.restoredFrom === null ? { state: 'ready' } : { state: 'restored', from: report.restoredFrom },
    )
    settle(({ resolve }) => resolve(report))
  }

  function launch(): void {
    const process = parts.fork()
    child = process
    let failure: Extract<BackendReport, { type: 'failed' }> | null = null
    let isStarting = true
    const awaitSign = () =>
      after(START_LIMIT_MS, () => {
        failure = { type: 'failed', code: 'failed', message: texts.backend.silent }
        process.kill()
      })
    process.onReport((report) => {
      if (report.type === 'log') {
        log[report.level](`backend: ${report.text}`)
        if (isStarting && isWanted) awaitSign()
        return
      }
      isStarting = false
      if (report.type === 'ready' && isWanted) handleReady(report)
      else if (report.type === 'failed') failure = report
    })
    process.onExit((code) => {
      child = null
      cancelTimer()
      handleExit(code, failure)
    })
    process.send({ type: 'start', port: pickedPort(), ...parts.start, ...(willRestore && { restore: true }) })
    willRestore = false
    awaitSign()
  }

  function handleExit(code: number, failure: Extract<BackendReport, { type: 'failed' }> | null): void {
    const stopped = stopping
    stopping = []
    for (const done of stopped) done()
    if (!isWanted) return
    // Wanted again while it was still shutting down.
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
    become({ state: 'restarting', attempt: attempts })
    after(FIRST_DELAY_MS * 2 ** (attempts - 1), () => {
      if (failure?.code === 'port') void moveAndLaunch()
      else launch()
    })
  }

  async function moveAndLaunch(): Promise<void> {
    const before = pickedPort()
    try {
      port = await parts.pickPort(null)
      parts.lastPort.write(port)
    } catch (cause) {
      log.error('no port for the backend', cause)
      giveUp(texts.backend.unreachable, false)
      return
    }
    if (!isWanted || child !== null) return
    if (port !== before) {
      running = null
      parts.moved()
    }
    launch()
  }

  function start(): void {
    if (isWanted) return
    isWanted = true
    attempts = 0
    become({ state: 'starting' })
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
    url: () => `http://127.0.0.1:${pickedPort()}`,
    running: () => {
      if (state.state === 'failed') return Promise.reject(new BridgeError('backend-failed', state.message))
      if (running !== null) return Promise.resolve(running)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    stop: () => {
      isWanted = false
      const process = child
      if (process === null) {
        cancelTimer()
        return Promise.resolve()
      }
      if (stopping.length === 0) {
        process.send({ type: 'shutdown' })
        after(STOP_LIMIT_MS, () => {
          log.warn('backend did not stop in time')
          process.kill()
        })
      }
      return new Promise((resolve) => stopping.push(resolve))
    },
  }
}
