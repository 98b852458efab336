import type { App, Event as ElectronEvent, WebContents } from 'electron'
import type { OpenExternal } from './external-links'
import type { PageOrigin } from './origin'

interface Navigation extends Pick<ElectronEvent, 'preventDefault'> {
  url: string
  isMainFrame: boolean
}

/** Keeps one page where it is: links lead to the system's browser, and there is nothing else to go to. */
export function guardNavigation(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  origin: PageOrigin,
  openExternal: OpenExternal,
): void {
  const stay = (event: Navigation): boolean => {
    const allowed = event.isMainFrame && origin.isPage(event.url)
    if (!allowed) event.preventDefault()
    return allowed
  }
  // Electron emits will-navigate afterwards, unless this event was prevented.
  contents.on('will-frame-navigate', (event) => {
    if (!stay(event) && event.isMainFrame) openExternal(event.url)
  })
  contents.on('will-navigate', stay)
  contents.on('will-redirect', stay)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url)
    return { action: 'deny' }
  })
}

/** Guards every page the app ever makes, its own window's first of all. */
export function setupNavigation(app: Pick<App, 'on'>, origin: PageOrigin, openExternal: OpenExternal): void {
  app.on('web-contents-created', (_event, contents) => guardNavigation(contents, origin, openExternal))
}
