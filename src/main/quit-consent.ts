import type { HandlersOf } from './ipc'
import type { Log } from './log'

/** How long the page may take: about as long as Windows waits for an app when a member logs off. */
const LIMIT_MS = 5_000

export interface QuitConsentParts {
  /** Whether a member is signed in and the page listens: nobody else has anything to lose. */
  isMemberHere(): boolean
  /** Tells the page that the app is about to quit. */
  ask(): void
  wait(milliseconds: number): Promise<void>
  log: Pick<Log, 'warn'>
}

export interface QuitConsent {
  /** Resolves when what the member did is done, or the page has had its time. */
  await(): Promise<void>
  /** The page says that something the member did is not finished. */
  isSending(): boolean
  /** The page was left or died: nothing is to be expected of it. */
  pageLeft(): void
  handlers: HandlersOf<'quit'>
}

/** Has the page finish what the member did before the app goes: a like that was pressed just now is still on its way. */
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
      const isDone = await Promise.race([agreed, wait(LIMIT_MS)])
      if (!isDone) log.warn('the page has not finished before quitting')
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
