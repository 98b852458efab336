import { arch, homedir, release } from 'node:os'
import { join } from 'node:path'
import {
  app,
  type BrowserWindow,
  clipboard,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  screen,
  shell,
  Tray,
} from 'electron'
import { routeInView } from '#/shared/routes'
import { appMenuTemplate } from './app-menu'
import { overlayIconPath, trayIconPath } from './app-paths'
import { createAttention } from './attention'
import { createAuthLinks } from './auth-links'
import type { BackendProcess } from './backend-process'
import { createBadge } from './badge'
import type { openDocuments } from './documents'
import { readPhoto } from './file-dialogs'
import { helpHandlers } from './help'
import type { HandlersOf } from './ipc'
import { type LaunchRequests, registerLinks } from './launch-requests'
import { setupLauncherMenu } from './launcher-menu'
import type { Log } from './log'
import { isHiddenStart } from './login-item'
import { createNotificationPictures } from './notification-pictures'
import { createNotifications, handleEarlierNotifications } from './notifications'
import { createOpenedPhoto } from './opened-photo'
import type { Page } from './page'
import { createPendingWork } from './pending-work'
import { watchPresence } from './presence'
import type { QuitGuard } from './quit-guard'
import { createRouteOpener, onPageLeft } from './route-opener'
import type { ServerChoice } from './server-choice'
import type { SpellChecker } from './spell-checker'
import { createSystemNotifications } from './system-notifications'
import { texts } from './texts'
import { schedule, wait } from './timers'
import { type AppTray, createTray, NO_TRAY } from './tray'
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
  begin(): void
}

/** Connects the window to the system: tray, menu, notifications, links, badge, power and updates. */
export function setupDesktop(parts: DesktopParts): Desktop {
  const { window, page, documents, guard, log } = parts
  const { platform } = process
  let tray: AppTray = NO_TRAY
  let unread = 0

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
  const logFile = join(app.getPath('logs'), 'main.log')
  const help = helpHandlers({
    diagnostics: async () => (await import('./diagnostics')).readDiagnostics(diagnosticsParts()),
    writeClipboard: (text) => clipboard.writeText(text),
    openPath: (path) => shell.openPath(path),
    logFile,
    dataFolder: parts.userData,
  })
  const diagnosticsParts = () => ({
    versions: {
      app: app.getVersion(),
      electron: process.versions.electron ?? '',
      chrome: process.versions.chrome ?? '',
      node: process.versions.node,
    },
    system: { platform, release: release(), arch: arch(), language: app.getLocale() },
    serverKind: parts.server.kind,
    backend: parts.backend.state,
    updates: updates.state,
    logFile,
    home: homedir(),
  })

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
    hidden: explainTrayOnce,
    show,
  })
  watchWindowState(window, presence, (state) => page.send('window.changed', state))
  keepOnDisplay(window, screen)

  /** Explains once why closing the window did not quit the app. */
  function explainTrayOnce(): void {
    if (platform === 'darwin' || documents.hints.read().tray || !notifications.isSupported()) return
    try {
      documents.hints.write({ tray: true })
    } catch (cause) {
      log.warn('could not save the hints', cause)
    }
    notifications.show({ title: texts.tray.hintTitle, body: texts.tray.hintBody })
  }

  async function setUpTheRest(): Promise<void> {
    tray = createTray({
      platform,
      create: (image) => new Tray(image),
      buildMenu: (template) => Menu.buildFromTemplate(template),
      image: (hasUnread) => trayIconPath(platform, hasUnread),
      show,
      open: routes.open,
      quit: () => app.quit(),
      log,
    })
    tray.setUnread(unread)
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
    setMenu()
    if (!(await hasUpdateFeed(app.isPackaged, process.resourcesPath))) return
    updates.begin()
    setMenu()
  }

  function setMenu(): void {
    const logged = (what: string, act: () => unknown) => () => {
      Promise.resolve(act()).catch((cause: unknown) => log.warn(`${what} failed`, cause))
    }
    const setting = { platform, isPackaged: app.isPackaged, hasUpdates: updates.state().state !== 'off' }
    const template = appMenuTemplate(setting, {
      open: routes.open,
      copyDiagnostics: logged('copy diagnostics', help['help.copyDiagnostics']),
      openLog: logged('open log', help['help.openLog']),
      showDataFolder: logged('show data folder', help['help.showDataFolder']),
      checkForUpdates: logged('check for updates', () => {
        routes.open({ page: 'settings' })
        return updates.handlers['updates.check']()
      }),
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
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
    changed: (count) => {
      unread = count
      tray.setUnread(count)
    },
  })
  window.on('show', badge.reapply)

  const attention = createAttention({
    app,
    window,
    platform,
    isEnabled: () => documents.preferences.read().drawAttention,
  })

  const pictures = createNotificationPictures({
    folder: join(parts.userData, 'notification-pictures'),
    decode: (bytes) => nativeImage.createFromBuffer(bytes),
    log,
  })
  const notices = createNotifications({
    system: notifications,
    platform,
    moment: () => ({
      now: Date.now(),
      preferences: documents.preferences.read(),
      window: windowState(window, presence.isAway()),
      inView: window.isDestroyed() ? null : routeInView(window.webContents.getURL()),
    }),
    open: routes.open,
    attention,
    pictures,
    answered: () => page.send('notifications.answered', null),
    schedule,
    now: () => performance.now(),
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
    begin: () => {
      setUpTheRest().catch((cause: unknown) => log.error('setting up the desktop failed', cause))
    },
  }
}
