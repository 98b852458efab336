import type { HandlersOf } from './ipc'
import type { Log } from './log'

/** Longest wait for the page: about as long as Windows waits for an app at logoff. */
const TIMEOUT_MS = 5_000

export interface QuitConsentParts {
  /** Whether a member is signed in and the page listens. Without a member nothing can be lost. */
  isMemberHere(): boolean
  /** Tells the page that the app is about to quit. */
  ask(): void
  wait(milliseconds: number): Promise<void>
  log: Pick<Log, 'warn'>
}

export interface QuitConsent {
  /** Resolves when the page has finished its pending work, or after the time limit. */
  await(): Promise<void>
  /** Whether the page has reported pending work. */
  isSending(): boolean
  /** The page was unloaded or crashed, so it will not reply. */
  pageLeft(): void
  handlers: HandlersOf<'quit'>
}

/** Waits for the page's pending work before the app quits, e.g. a like that is still being sent. */
export function createQuitConsent({ isMemberHere, ask, wait, log }: QuitConsentParts): QuitConsent {
  let agree = (): void => undefined
  let isBusy = false
  return {
    await: async () => {
      if (!isMemberHere()) return
      const agreed = new Promise<true>((resolve) => {
        agree = () => resolve(true)
      })
      ask()
      const isDone = await Promise.race([agreed, wait(TIMEOUT_MS)])
      if (!isDone) log.warn('the page did not finish its work before quitting')
    },
    isSending: () => isBusy,
    pageLeft: () => {
      isBusy = false
      agree()
    },
    handlers: {
      'quit.setBusy': (busy) => {
        isBusy = busy
      },
      'quit.agree': () => {
        agree()
      },
    },
  }
}
