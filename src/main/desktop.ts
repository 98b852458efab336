import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { app, type BrowserWindow, dialog, Menu, Notification, powerMonitor } from 'electron'
import type { openDocuments } from './files/documents'
import { setupHelp } from './help/setup-help'
import type { AppImage } from './installation/app-image'
import type { HandlersOf } from './ipc'
import type { LaunchRequests } from './launch/launch-requests'
import { createLinks } from './launch/links'
import type { LoginItem } from './launch/login-item'
import { onPageLeft } from './launch/route-opener'
import { hasSandbox } from './launch/sandbox'
import type { Log } from './log'
import { setupLauncherMenu } from './menus/launcher-menu'
import { setupMenu } from './menus/setup-menu'
import { setupTray } from './menus/setup-tray'
import { handleEarlierNotifications } from './notifications/notifications'
import { setupBadge } from './notifications/setup-badge'
import { setupNotifications } from './notifications/setup-notifications'
import { createSystemNotifications } from './notifications/system-notifications'
import { createUploadProgress } from './notifications/upload-progress'
import type { BackendProcess } from './server/backend-process'
import type { ServedVideos } from './server/served-videos'
import type { ServerChoice } from './server/server-choice'
import { watchPresence } from './session/presence'
import type { SpellChecker } from './settings/spell-checker'
import { texts } from './texts'
import { schedule } from './timers'
import { offerApplicationsFolder } from './updates/applications-folder'
import { setupUpdates } from './updates/setup-updates'
import { hasUpdateFeed } from './updates/updates'
import { setupHistory } from './window/history'
import type { Page } from './window/page'
import type { QuitGuard } from './window/quit-guard'
import { setupPageRequests } from './window/setup-page-requests'
import { setupMainWindow } from './window/setup-window'
import { showWindow } from './window/window'

/** Longest run of a program that registers links. */
const TOOL_TIMEOUT_MS = 10_000

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
  appImage: AppImage | null
  isAccelerated: boolean
  keepsCrashDumps: boolean
  /** Quits and starts again. */
  restart(): void
  userData: string
  loginItem: Pick<LoginItem, 'isAvailable' | 'repair'>
  spellChecker: Pick<SpellChecker, 'languages'>
  serveVideo: ServedVideos['serve']
  log: Log
}

type Concern =
  | 'authLinks'
  | 'serverLinks'
  | 'notifications'
  | 'badge'
  | 'uploads'
  | 'navigation'
  | 'quit'
  | 'window'
  | 'system'
  | 'updates'
  | 'help'

type DesktopHandlers = HandlersOf<Concern> &
  Pick<HandlersOf<'files'>, 'files.takeOpened' | 'files.takeOpenedVideo' | 'files.forgetOpened'>

export interface Desktop {
  handlers: DesktopHandlers
  /** Opens a path of the app for a link that asks for a new tab: this window is the only one. */
  openPage(path: string): void
  /** Resolves when the page has finished its pending work. */
  finishPendingWork(): Promise<void>
  /** Whether the page is still sending something to the server. */
  hasPendingWork(): boolean
  /** Prevents installing updates from now on, because the system is shutting down. */
  preventInstall(): void
  /** Sets up everything the first window does not need. Does not wait for the page. */
  finishSetup(): void
}

/** Connects the window to the system, concern by concern. */
export function setupDesktop(parts: DesktopParts): Desktop {
  const { window, page, documents, guard, log } = parts
  const { platform } = process
  const show = () => {
    if (!window.isDestroyed()) showWindow(window, app, platform)
  }

  const notifications = createSystemNotifications({ system: Notification, platform, log })
  const requests = setupPageRequests({
    window,
    page,
    show,
    memberSignedIn: notifications.memberSignedIn,
    serveVideo: parts.serveVideo,
    log,
  })
  const { open, isListening } = requests.routes
  const updates = setupUpdates({
    page,
    installsOnQuit: platform !== 'linux' || parts.appImage !== null,
    guard,
    log,
  })
  const find = () => {
    show()
    page.send('find.asked', null)
  }
  const help = setupHelp({ ...parts, updates, isAppImage: parts.appImage !== null })
  const history = setupHistory(window, platform)
  const tray = setupTray({ show, open, log })
  const presence = watchPresence({ powerMonitor, window, schedule, now: () => performance.now() })
  const mainWindow = setupMainWindow({
    window,
    page,
    documents,
    guard,
    tray,
    notifications,
    presence,
    isSignedIn: isListening,
    show,
    log,
  })
  requests.handleLaunchRequests(parts.launchRequests)
  const badge = setupBadge(window, tray.setUnread)
  const uploads = createUploadProgress(() => (window.isDestroyed() ? null : window))
  window.on('show', uploads.reapply)
  onPageLeft(window.webContents, uploads.pageLeft)
  const { notices, pictures } = setupNotifications({
    window,
    page,
    documents,
    presence,
    system: notifications,
    open,
    userData: parts.userData,
    log,
  })

  const links = createLinks({
    app,
    platform,
    program: { path: process.execPath, project: app.getAppPath() },
    appImage: parts.appImage,
    dataHome: process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'),
    run: async (program, args) =>
      (await promisify(execFile)(program, args, { timeout: TOOL_TIMEOUT_MS })).stdout,
    log,
  })

  /** Everything that the first window does not need. */
  async function finishSetup(): Promise<void> {
    tray.create()
    // Without a tray a hidden window could not be opened again; macOS has the Dock.
    if (mainWindow.startsHidden && !tray.isAvailable() && platform !== 'darwin') show()
    void links.register()
    parts.loginItem
      .repair()
      .catch((cause: unknown) => log.warn('the entry to start at login was not repaired', cause))
    // A dialog before the window would be all that a member sees of a start at login.
    if (!mainWindow.startsHidden) {
      offerApplicationsFolder({
        platform,
        app,
        hints: documents.hints,
        ask: async (options) => (await dialog.showMessageBox(options)).response,
        failed: () => dialog.showErrorBox(texts.applications.failedTitle, texts.applications.failedBody),
        log,
      }).catch((cause: unknown) => log.warn('the Applications folder was not offered', cause))
    }
    setupLauncherMenu({
      platform,
      app,
      program: process.execPath,
      buildMenu: (template) => Menu.buildFromTemplate(template),
      open,
      log,
    })
    powerMonitor.on('resume', () => page.send('power.resumed', null))
    handleEarlierNotifications(notifications, { ...notices, open, show, launchInfo: parts.launchInfo() })
    // Removes files of earlier runs. Only Windows needs the pictures as files.
    if (platform === 'win32') void pictures.clear()
    setupMenu({ open, find, history, help, updates, log })
    if (!(await hasUpdateFeed(app.isPackaged, process.resourcesPath))) return
    updates.start()
    setupMenu({ open, find, history, help, updates, log })
  }

  return {
    handlers: {
      ...requests.handlers,
      ...updates.handlers,
      ...help,
      ...notices.handlers,
      ...badge.handlers,
      ...uploads.handlers,
      ...mainWindow.handlers,
      'system.abilities': async () => ({
        notifications: notifications.isSupported(),
        attention: true,
        lockScreen: true,
        crashDumps: parts.keepsCrashDumps,
        startAtLogin: parts.loginItem.isAvailable,
        // macOS never quits on close, so there is no setting to show.
        tray: platform !== 'darwin' && tray.isAvailable(),
        files: true,
        links: await links.register(),
        sandbox: hasSandbox(app),
        acceleration: parts.isAccelerated,
        spellCheck: parts.spellChecker.languages(),
      }),
      'system.restart': () => {
        parts.restart()
      },
    },
    // Only a signed-in member's page listens.
    openPage: (path) => (isListening() ? page.send('navigate', path) : page.load(path)),
    finishPendingWork: requests.pendingWork.finish,
    hasPendingWork: requests.pendingWork.isPending,
    preventInstall: updates.preventInstall,
    finishSetup: () => {
      finishSetup().catch((cause: unknown) => log.error('setting up the desktop failed', cause))
    },
  }
}
