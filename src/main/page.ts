import type { BrowserWindow } from 'electron'
import type { BridgeEvent, BridgeEvents } from '#/shared/bridge'

/** Sends an event to the page; one that is not there (yet, or any more) misses it. */
export type SendEvent = <E extends BridgeEvent>(event: E, value: BridgeEvents[E]) => void

/** The page in the window, as the rest of main speaks to it. It can be spoken to before it is there. */
export interface Page {
  attach(window: PageWindow): void
  send: SendEvent
  /** Loads the app's first page, under the policy of the server in use. */
  goHome(): void
  /** Loads the page again where it is. */
  reload(): void
}

export type PageWindow = Pick<BrowserWindow, 'isDestroyed' | 'loadURL'> & {
  webContents: Pick<BrowserWindow['webContents'], 'send' | 'reload'>
}

/**
 * @param defer does something a little later: a call that loads the page again is answered first.
 */
export function createPage(home: string, defer: (task: () => void) => unknown): Page {
  let attached: PageWindow | null = null
  const window = () => (attached === null || attached.isDestroyed() ? null : attached)
  return {
    attach: (given) => {
      attached = given
    },
    send: (event, value) => window()?.webContents.send(event, value),
    goHome: () =>
      defer(() => {
        // What did not load is told by did-fail-load.
        window()
          ?.loadURL(home)
          .catch(() => undefined)
      }),
    reload: () => defer(() => window()?.webContents.reload()),
  }
}
