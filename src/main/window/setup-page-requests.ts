import type { BrowserWindow } from 'electron'
import { readPhoto } from '#/main/files/file-dialogs'
import type { HandlersOf } from '#/main/ipc'
import { createHeldLink } from '#/main/launch/held-link'
import type { LaunchRequests } from '#/main/launch/launch-requests'
import { createOpenedFiles } from '#/main/launch/opened-files'
import { createRouteOpener, onPageLeft, type RouteOpener } from '#/main/launch/route-opener'
import type { Log } from '#/main/log'
import type { ServedVideos } from '#/main/server/served-videos'
import { wait } from '#/main/timers'
import { NEW_STORY } from '#/shared/routes'
import type { ServerAddress } from '#/shared/server'
import type { Page } from './page'
import { createPendingWork, type PendingWork } from './pending-work'

export interface SetupPageRequestsParts {
  window: BrowserWindow
  page: Page
  /** Shows the window. */
  show(): void
  /** Called when a signed-in member's page starts to listen. */
  memberSignedIn(): void
  serveVideo: ServedVideos['serve']
  log: Log
}

export interface PageRequests {
  routes: Pick<RouteOpener, 'open' | 'isListening'>
  pendingWork: Pick<PendingWork, 'finish' | 'isPending'>
  /** Handles links, files and second instances, including earlier ones. */
  handleLaunchRequests(launchRequests: Pick<LaunchRequests, 'onRequest'>): void
  handlers: HandlersOf<'navigation' | 'quit' | 'authLinks' | 'serverLinks'> &
    Pick<HandlersOf<'files'>, 'files.takeOpened' | 'files.takeOpenedVideo' | 'files.forgetOpened'>
}

/** Connects the page to requests from outside: routes, links of emails, opened photos and videos, and the end of the app. */
export function setupPageRequests({
  window,
  page,
  show,
  memberSignedIn,
  serveVideo,
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
  const changed = () => page.send('files.opened', null)
  const photos = createOpenedFiles({
    read: readPhoto,
    openForm: () => routes.open({ page: 'create' }),
    changed,
  })
  const videos = createOpenedFiles({
    read: serveVideo,
    openForm: () => routes.open({ page: 'story', id: NEW_STORY }),
    changed,
  })
  const authLink = createHeldLink<string>({ show, changed: () => page.send('authLinks.opened', null) })
  const serverLink = createHeldLink<ServerAddress>({
    show,
    changed: () => page.send('serverLinks.opened', null),
  })
  return {
    routes,
    pendingWork,
    handleLaunchRequests: (launchRequests) =>
      launchRequests.onRequest((request) => {
        if (request === null) show()
        else if ('route' in request) routes.open(request.route)
        else if ('auth' in request) authLink.open(request.auth)
        else if ('server' in request) serverLink.open(request.server)
        else if ('photo' in request) photos.open(request.photo)
        else videos.open(request.video)
      }),
    handlers: {
      ...routes.handlers,
      ...pendingWork.handlers,
      'files.takeOpened': photos.take,
      'files.takeOpenedVideo': videos.take,
      'files.forgetOpened': () => {
        photos.clear()
        videos.clear()
      },
      'authLinks.take': authLink.take,
      'serverLinks.take': serverLink.take,
    },
  }
}
