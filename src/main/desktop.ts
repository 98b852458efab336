import {
  app,
  type BrowserWindow,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  screen,
} from 'electron'
import { overlayIconPath } from './app-paths'
import { createAuthLinks } from './auth-links'
import type { BackendProcess } from './backend-process'
import { createBadge } from './badge'
import type { openDocuments } from './documents'
import { readPhoto } from './file-dialogs'
import type { HandlersOf } from './ipc'
import { type LaunchRequests, registerLinks } from './launch-requests'
import { setupLauncherMenu } from './launcher-menu'
import type { Log } from './log'
import { isHiddenStart } from './login-item'
import { handleEarlierNotifications } from './notifications'
import { createOpenedPhoto } from './opened-photo'
import type { Page } from './page'
import { createPendingWork } from './pending-work'
import { watchPresence } from './presence'
import type { QuitGuard } from './quit-guard'
import { createRouteOpener, onPageLeft } from './route-opener'
import type { ServerChoice } from './server-choice'
import { setupHelp } from './setup-help'
import { setupMenu } from './setup-menu'
import { setupNotifications } from './setup-notifications'
import { setupTray, showTrayHintOnce } from './setup-tray'
import type { SpellChecker } from './spell-checker'
import { createSystemNotifications } from './system-notifications'
import { schedule, wait } from './timers'
import { createUpdates, hasUpdateFeed } from './updates'
import { hidesOnClose, setupWindow, showWindow, watchWindowState, windowState } from './window'
import { keepOnDisplay } from './window-placement'

export interface DesktopParts {
  window: BrowserWindow
  page: Page
  documents: ReturnType<typeof openDocuments>
  backend: Pick<BackendProcess, 'state'>
  server: Pick<ServerChoice, 'kind'>
  guard: QuitGuard
  launchRequests: LaunchRequests
  /** The launch info of Electron's `ready` event: on macOS the notification that started the app. */
  launchInfo(): unknown
  userData: string
  canStartAtLogin: boolean
  spellChecker: Pick<SpellChecker, 'languages'>
  log: Log
}

type Concern =
  | 'authLinks'
  | 'notifications'
  | 'badge'
  | 'navigation'
  | 'quit'
  | 'window'
  | 'system'
  | 'updates'
  | 'help'

type DesktopHandlers = HandlersOf<Concern> & Pick<HandlersOf<'files'>, 'files.takeOpened'>

export interface Desktop {
  handlers: DesktopHandlers
  /** Resolves when the page has finished its pending work. */
  finishPendingWork(): Promise<void>
  /** Whether the page is still sending something to the server. */
  hasPendingWork(): boolean
  /** Prevents installing updates from now on, because the system is shutting down. */
  preventInstall(): void
  /** Sets up everything the first window does not need. Does not wait for the page. */
  finishSetup(): void
}

/** Connects the window to the system: tray, menu, notifications, links, badge, power and updates. */
export function setupDesktop(parts: DesktopParts): Desktop {
  const { window, page, documents, guard, log } = parts
  const { platform } = process

  const show = () => {
    if (!window.isDestroyed()) showWindow(window, app, platform)
  }
  const notifications = createSystemNotifications({ system: Notification, platform, log })
  const routes = createRouteOpener({
    show,
    navigate: (path) => page.send('navigate', path),
    memberSignedIn: notifications.memberSignedIn,
  })
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

  const updates = createUpdates({
    load: async () => (await import('./update-feed')).createUpdateFeed(log),
    prepareToQuit: guard.release,
    cancelQuit: guard.cancelQuit,
    changed: (state) => page.send('updates.changed', state),
    schedule,
    log,
  })
  const help = setupHelp({ backend: parts.backend, server: parts.server, updates, userData: parts.userData })
  const tray = setupTray({ show, open: routes.open, log })

  const presence = watchPresence(powerMonitor)
  const startsHidden = isHiddenStart(app, {
    platform,
    argv: process.argv,
    keepsRunning: documents.preferences.read().keepRunningInTray,
  })
  setupWindow(window, {
    app,
    platform,
    schedule,
    nativeTheme,
    isQuitting: guard.isQuitting,
    startsHidden,
    hidesOnClose: () =>
      hidesOnClose({
        platform,
        keepRunningInTray: documents.preferences.read().keepRunningInTray,
        hasTray: tray.isAvailable(),
        isSignedIn: routes.isListening(),
      }),
    hidden: () => showTrayHintOnce({ hints: documents.hints, notifications, log }),
    show,
  })
  watchWindowState(window, presence, (state) => page.send('window.changed', state))
  keepOnDisplay(window, screen)

  async function finishSetup(): Promise<void> {
    tray.create()
    // Without a tray a hidden window could not be opened again; macOS has the Dock.
    if (startsHidden && !tray.isAvailable() && platform !== 'darwin') show()
    registerLinks(app, { path: process.execPath, project: app.getAppPath() })
    setupLauncherMenu({
      platform,
      app,
      program: process.execPath,
      buildMenu: (template) => Menu.buildFromTemplate(template),
      open: routes.open,
      log,
    })
    powerMonitor.on('resume', () => page.send('power.resumed', null))
    handleEarlierNotifications(notifications, {
      ...notices,
      open: routes.open,
      show,
      launchInfo: parts.launchInfo(),
    })
    // Removes files of earlier runs. Only Windows needs the pictures as files.
    if (platform === 'win32') void pictures.clear()
    setupMenu({ open: routes.open, help, updates, log })
    if (!(await hasUpdateFeed(app.isPackaged, process.resourcesPath))) return
    updates.start()
    setupMenu({ open: routes.open, help, updates, log })
  }

  parts.launchRequests.onRequest((request) => {
    if (request === null) show()
    else if ('route' in request) routes.open(request.route)
    else if ('auth' in request) authLinks.open(request.auth)
    else openedPhoto.open(request.photo)
  })

  const badge = createBadge({
    app,
    platform,
    window: () => (window.isDestroyed() ? null : window),
    overlay: (label) => nativeImage.createFromPath(overlayIconPath(label)),
    changed: tray.setUnread,
  })
  window.on('show', badge.reapply)

  const { notices, pictures } = setupNotifications({
    window,
    page,
    documents,
    presence,
    system: notifications,
    open: routes.open,
    userData: parts.userData,
    log,
  })

  const handlers: DesktopHandlers = {
    ...routes.handlers,
    ...openedPhoto.handlers,
    ...authLinks.handlers,
    ...pendingWork.handlers,
    ...updates.handlers,
    ...help,
    ...notices.handlers,
    ...badge.handlers,
    'window.state': () => windowState(window, presence.isAway()),
    'system.abilities': () => ({
      notifications: notifications.isSupported(),
      attention: true,
      startAtLogin: parts.canStartAtLogin,
      // macOS never quits on close, so there is no setting to show.
      tray: platform !== 'darwin' && tray.isAvailable(),
      files: true,
      spellCheck: parts.spellChecker.languages(),
    }),
  }
  return {
    handlers,
    finishPendingWork: pendingWork.finish,
    hasPendingWork: pendingWork.isPending,
    preventInstall: updates.preventInstall,
    finishSetup: () => {
      finishSetup().catch((cause: unknown) => log.error('setting up the desktop failed', cause))
    },
  }
}
