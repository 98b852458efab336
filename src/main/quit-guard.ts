import type { App } from 'electron'
import type { Log } from './log'

export interface QuitGuard {
  /** From the first wish to quit on. */
  isQuitting(): boolean
  /** Does what must be done before quitting, which then is not held back: for what quits on its own, as an update. */
  release(): Promise<void>
  /** The app did not quit after it was released: takes up again what was stopped, and holds back the next quitting. */
  rearm(): void
}

export interface QuitParts {
  app: Pick<App, 'on' | 'quit'>
  /** What must be done before the app may go. */
  stop(): Promise<unknown>
  /** Undoes `stop`. */
  restart(): Promise<unknown>
  /** Called at the first wish to quit: the window goes at once, the rest follows. */
  leave(): void
  wait(milliseconds: number): Promise<void>
  log: Pick<Log, 'error' | 'warn'>
}

/** Longer than the limits of page and backend together, so that only what hangs for good is left behind. */
const LIMIT_MS = 30_000

/** Holds back quitting, once, until the page has finished, the backend has shut down and the sessions are written. */
export function setupQuitGuard({ app, stop, restart, leave, wait, log }: QuitParts): QuitGuard {
  let stage: 'running' | 'stopping' | 'stopped' = 'running'

  async function finish(): Promise<void> {
    stage = 'stopping'
    try {
      const isDone = await Promise.race([stop().then(() => true), wait(LIMIT_MS)])
      if (!isDone) log.warn('quitting without waiting any longer')
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
    rearm: () => {
      if (stage !== 'stopped') return
      stage = 'running'
      restart().catch((cause: unknown) => log.error('starting again failed', cause))
    },
  }
}
