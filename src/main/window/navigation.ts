import type { App, Event as ElectronEvent, WebContents } from 'electron'
import type { PageOrigin } from '#/main/server/origin'
import type { OpenExternal } from './external-links'

interface NavigationEvent extends Pick<ElectronEvent, 'preventDefault'> {
  url: string
  isMainFrame: boolean
}

export interface LinkOpeners {
  openExternal: OpenExternal
  /** Opens a path of the app in its only window. */
  openPage(path: string): void
}

/**
 * Blocks navigation away from the app's own pages. Links to the web open in the system's browser. A link within the app
 * that would open another window opens in this one: Ctrl, Shift or the middle button (Cmd on macOS) ask for a new tab,
 * and 'Back' returns.
 */
export function guardNavigation(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  origin: PageOrigin,
  { openExternal, openPage }: LinkOpeners,
): void {
  const blockForeign = (event: NavigationEvent): boolean => {
    const allowed = event.isMainFrame && origin.isPage(event.url)
    if (!allowed) event.preventDefault()
    return allowed
  }
  // Electron emits will-navigate after this event, unless this one was prevented.
  contents.on('will-frame-navigate', (event) => {
    if (!blockForeign(event) && event.isMainFrame) openExternal(event.url)
  })
  contents.on('will-navigate', blockForeign)
  contents.on('will-redirect', blockForeign)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  // Electron treats a click that asks for a tab like window.open (`-new-window` in lib/browser/api/web-contents.ts).
  contents.setWindowOpenHandler(({ url }) => {
    if (origin.isPage(url)) {
      const { pathname, search, hash } = new URL(url)
      // Two slashes would name a host.
      openPage(`${pathname.replace(/^\/+/, '/')}${search}${hash}`)
    } else openExternal(url)
    return { action: 'deny' }
  })
}

/** Applies `guardNavigation` to every WebContents of the app. */
export function setupNavigation(app: Pick<App, 'on'>, origin: PageOrigin, openers: LinkOpeners): void {
  app.on('web-contents-created', (_event, contents) => guardNavigation(contents, origin, openers))
}
