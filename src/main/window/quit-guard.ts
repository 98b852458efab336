import type { App } from 'electron'
import type { Log } from '#/main/log'

export interface QuitGuard {
  /** True from the first request to quit. */
  isQuitting(): boolean
  /** Shuts down what `stop` covers and lets the next quit proceed. For an update, which quits the app itself. */
  release(): Promise<void>
  /** The app did not quit after `release`: restarts what was stopped and delays the next quit again. */
  cancelQuit(): void
}

export interface QuitParts {
  app: Pick<App, 'on' | 'quit'>
  /** Shutdown work that must finish before the app quits. */
  stop(): Promise<unknown>
  restart(): Promise<unknown>
  /** Called at the first request to quit, to hide the window at once. */
  leave(): void
  wait(milliseconds: number): Promise<void>
  log: Pick<Log, 'error' | 'warn'>
}

/** Longer than the limits of page and backend together, so it only applies if something hangs. */
const TIMEOUT_MS = 30_000

/** Delays the first quit until the page has finished, the backend has shut down and the sessions are written. */
export function setupQuitGuard({ app, stop, restart, leave, wait, log }: QuitParts): QuitGuard {
  let stage: 'running' | 'stopping' | 'stopped' = 'running'

  async function finish(): Promise<void> {
    stage = 'stopping'
    try {
      const isDone = await Promise.race([stop().then(() => true), wait(TIMEOUT_MS)])
      if (!isDone) log.warn('shutdown timed out; quitting anyway')
    } catch (cause) {
      log.error('shutting down failed', cause)
    }
    stage = 'stopped'
  }

  app.on('before-quit', (event) => {
    if (stage === 'stopped') return
    event.preventDefault()
    if (stage === 'stopping') return
    leave()
    void finish().then(() => app.quit())
  })
  return {
    isQuitting: () => stage !== 'running',
    release: finish,
    cancelQuit: () => {
      if (stage !== 'stopped') return
      stage = 'running'
      restart().catch((cause: unknown) => log.error('restarting after a cancelled quit failed', cause))
    },
  }
}
