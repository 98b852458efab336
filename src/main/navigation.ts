import type { App, Event as ElectronEvent, WebContents } from 'electron'
import type { OpenExternal } from './external-links'
import type { PageOrigin } from './origin'

interface NavigationEvent extends Pick<ElectronEvent, 'preventDefault'> {
  url: string
  isMainFrame: boolean
}

/** Blocks navigation away from the app's own pages. Links open in the system's browser. */
export function guardNavigation(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  origin: PageOrigin,
  openExternal: OpenExternal,
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
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url)
    return { action: 'deny' }
  })
}

/** Applies `guardNavigation` to every WebContents of the app. */
export function setupNavigation(app: Pick<App, 'on'>, origin: PageOrigin, openExternal: OpenExternal): void {
  app.on('web-contents-created', (_event, contents) => guardNavigation(contents, origin, openExternal))
}
