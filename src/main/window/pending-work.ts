import type { HandlersOf } from '#/main/ipc'
import type { Log } from '#/main/log'

/** Longest wait for the page: about as long as Windows waits for an app at logoff. */
const TIMEOUT_MS = 5_000

export interface PendingWorkParts {
  /** Whether a member is signed in and the page listens. Without a member nothing can be lost. */
  isSignedIn(): boolean
  /** Tells the page that the app is about to quit. */
  ask(): void
  wait(milliseconds: number): Promise<void>
  log: Pick<Log, 'warn'>
}

export interface PendingWork {
  /** Resolves when the page has finished its pending work, or after the time limit. */
  finish(): Promise<void>
  /** Whether the page has reported pending work. */
  isPending(): boolean
  /** The page was unloaded or crashed, so it will not reply. */
  pageLeft(): void
  handlers: HandlersOf<'quit'>
}

/** Waits for the page's pending work before the app quits, e.g. a like that is still being sent. */
export function createPendingWork({ isSignedIn, ask, wait, log }: PendingWorkParts): PendingWork {
  let confirm = (): void => undefined
  let isBusy = false
  return {
    finish: async () => {
      if (!isSignedIn()) return
      const confirmed = new Promise<true>((resolve) => {
        confirm = () => resolve(true)
      })
      ask()
      const isDone = await Promise.race([confirmed, wait(TIMEOUT_MS)])
      if (!isDone) log.warn('the page did not finish its work before quitting')
    },
    isPending: () => isBusy,
    pageLeft: () => {
      isBusy = false
      confirm()
    },
    handlers: {
      'quit.setBusy': (busy) => {
        isBusy = busy
      },
      'quit.agree': () => {
        confirm()
      },
    },
  }
}
