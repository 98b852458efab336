import type { BrowserWindow } from 'electron'
import type { BridgeEvent, BridgeEvents } from '#/shared/bridge'

/** Sends an event to the page. Dropped if there is no page. */
export type SendEvent = <E extends BridgeEvent>(event: E, value: BridgeEvents[E]) => void

/** The page in the window. Its methods do nothing until a window is attached. */
export interface Page {
  attach(window: PageWindow): void
  send: SendEvent
  /** Loads the app's first page, with the policy of the current server. */
  loadHome(): void
  /** Loads a path of the app. */
  load(path: string): void
  reload(): void
}

export type PageWindow = Pick<BrowserWindow, 'isDestroyed' | 'loadURL'> & {
  webContents: Pick<BrowserWindow['webContents'], 'send' | 'reload'>
}

/**
 * @param defer runs a task after the current call, so that a bridge call that reloads the page still gets its reply.
 */
export function createPage(home: string, defer: (task: () => void) => unknown): Page {
  let attached: PageWindow | null = null
  const window = () => (attached === null || attached.isDestroyed() ? null : attached)
  const loadUrl = (url: string) =>
    defer(() => {
      // did-fail-load reports failed loads.
      window()
        ?.loadURL(url)
        .catch(() => undefined)
    })
  return {
    attach: (newWindow) => {
      attached = newWindow
    },
    send: (event, value) => window()?.webContents.send(event, value),
    loadHome: () => loadUrl(home),
    load: (path) => loadUrl(new URL(path, home).href),
    reload: () => defer(() => window()?.webContents.reload()),
  }
}
