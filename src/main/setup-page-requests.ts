import type { BrowserWindow } from 'electron'
import { createAuthLinks } from './auth-links'
import { readPhoto } from './file-dialogs'
import type { HandlersOf } from './ipc'
import type { LaunchRequests } from './launch-requests'
import type { Log } from './log'
import { createOpenedPhoto } from './opened-photo'
import type { Page } from './page'
import { createPendingWork, type PendingWork } from './pending-work'
import { createRouteOpener, onPageLeft, type RouteOpener } from './route-opener'
import { wait } from './timers'

export interface SetupPageRequestsParts {
  window: BrowserWindow
  page: Page
  /** Shows the window. */
  show(): void
  /** Called when a signed-in member's page starts to listen. */
  memberSignedIn(): void
  log: Log
}

export interface PageRequests {
  routes: Pick<RouteOpener, 'open' | 'isListening'>
  pendingWork: Pick<PendingWork, 'finish' | 'isPending'>
  /** Handles links, files and second instances, including earlier ones. */
  handleLaunchRequests(launchRequests: Pick<LaunchRequests, 'onRequest'>): void
  handlers: HandlersOf<'navigation' | 'quit' | 'authLinks'> & Pick<HandlersOf<'files'>, 'files.takeOpened'>
}

/** Connects the page to requests from outside: routes, links of emails, opened photos, and the end of the app. */
export function setupPageRequests({
  window,
  page,
  show,
  memberSignedIn,
  log,
}: SetupPageRequestsParts): PageRequests {
  const routes = createRouteOpener({ show, navigate: (path) => page.send('navigate', path), memberSignedIn })
  const pendingWork = createPendingWork({
    isSignedIn: routes.isListening,
    ask: () => page.send('quit.asked', null),
    wait,
    log,
  })
  onPageLeft(window.webContents, () => {
    routes.pageLeft()
    pendingWork.pageLeft()
  })
  const openedPhoto = createOpenedPhoto({
    read: readPhoto,
    openComposer: () => routes.open({ page: 'create' }),
    changed: () => page.send('files.opened', null),
  })
  const authLinks = createAuthLinks({ show, changed: () => page.send('authLinks.opened', null) })
  return {
    routes,
    pendingWork,
    handleLaunchRequests: (launchRequests) =>
      launchRequests.onRequest((request) => {
        if (request === null) show()
        else if ('route' in request) routes.open(request.route)
        else if ('auth' in request) authLinks.open(request.auth)
        else openedPhoto.open(request.photo)
      }),
    handlers: {
      ...routes.handlers,
      ...pendingWork.handlers,
      ...openedPhoto.handlers,
      ...authLinks.handlers,
    },
  }
}
