import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  net,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
} from 'electron'
import { contentSecurityPolicy } from '#/shared/csp'
import { backendHandlers, logHandlers, shellHandlers } from './bridge-handlers'
import { setupDesktop } from './desktop'
import { STORE_CHANNEL } from './files/document-file'
import type { openDocuments } from './files/documents'
import { setupDownloads } from './files/downloads'
import { fileHandlers } from './files/file-dialogs'
import { createSavePicture } from './files/save-picture'
import type { CrashDumps } from './help/crash-dumps'
import type { AppImage } from './installation/app-image'
import { builtPaths, libheifFolder, windowIconPath } from './installation/app-paths'
import { registerHandlers } from './ipc'
import type { LaunchRequests } from './launch/launch-requests'
import type { Log } from './log'
import { setupContextMenu } from './menus/context-menu'
import { setupAppProtocol } from './server/app-protocol'
import { setupDevServer } from './server/dev-server'
import type { PageOrigin } from './server/origin'
import { createServedVideos } from './server/served-videos'
import { setupServer } from './server/setup-server'
import { createSessionVault, isSessionKey, sessionHandlers } from './session/session-vault'
import { createVaultCipher } from './session/vault-cipher'
import { setupPreferences } from './settings/setup-preferences'
import { texts } from './texts'
import { schedule, wait } from './timers'
import { createOpenExternal } from './window/external-links'
import { findHandlers } from './window/find'
import { setupNavigation } from './window/navigation'
import { createPage, type Page } from './window/page'
import { setupPermissions } from './window/permissions'
import type { QuitGuard } from './window/quit-guard'
import { setupRendererRecovery } from './window/renderer-recovery'
import { backgroundColorFor, FIRST_SIZE, windowOptions } from './window/window'
import { initialBounds, persistPlacement } from './window/window-placement'

export interface AppContext {
  origin: PageOrigin
  log: Log
  guard: QuitGuard
  launchRequests: LaunchRequests
  /** The launch info of Electron's `ready` event: on macOS the notification that started the app. */
  launchInfo(): unknown
  documents: ReturnType<typeof openDocuments>
  appImage: AppImage | null
  isAccelerated: boolean
  crashDumps: CrashDumps
  /** Quits and starts again. */
  restart(): void
}

export interface RunningApp {
  window: BrowserWindow
  /** Waits for the page, then shuts down the backend and waits for the vault. */
  stop(): Promise<unknown>
  /** Restarts what `stop` stopped, for a quit that was cancelled. */
  restart(): Promise<unknown>
  /** Whether the page is still sending something to the server. */
  hasPendingWork(): boolean
  /** Flushes the page's storage to disk, which Chromium does only now and then. */
  flush(): void
  /** Prevents installing updates from now on, because the system is shutting down. */
  preventInstall(): void
}

/** Opens the main window, which stays hidden until its first page has loaded. */
function openWindow(documents: ReturnType<typeof openDocuments>, page: Page, log: Log) {
  const window = new BrowserWindow(
    windowOptions({
      preload: builtPaths.preload,
      backgroundColor: backgroundColorFor(nativeTheme),
      isPackaged: app.isPackaged,
      icon: process.platform === 'linux' ? windowIconPath : null,
      bounds: initialBounds(documents.window.read(), screen, FIRST_SIZE, process.platform),
    }),
  )
  persistPlacement(window, { file: documents.window, platform: process.platform, schedule, log })
  const savePicture = createSavePicture({
    askPage: (url) => page.send('files.pictureAsked', url),
    showSaveDialog: (options) => dialog.showSaveDialog(window, options),
    fetchUrl: (url) => net.fetch(url),
    pictures: () => app.getPath('pictures'),
    failed: () => dialog.showErrorBox(texts.savePicture.failedTitle, texts.savePicture.failedBody),
    log,
  })
  setupContextMenu(window.webContents, {
    platform: process.platform,
    popup: (template) => Menu.buildFromTemplate(template).popup({ window }),
    savePicture: savePicture.ask,
    addToDictionary: (word) => session.defaultSession.addWordToSpellCheckerDictionary(word),
    copyText: (text) => clipboard.writeText(text),
  })
  return { window, savePicture }
}

/**
 * Creates and connects all parts once Electron is ready. The window loads at once and does not wait for the backend.
 */
export async function startApp({
  origin,
  log,
  guard,
  launchRequests,
  launchInfo,
  documents,
  appImage,
  isAccelerated,
  crashDumps,
  restart,
}: AppContext): Promise<RunningApp> {
  const now = () => performance.now()
  const userData = app.getPath('userData')
  // Nothing uses this channel, and it checks no sender.
  ipcMain.removeAllListeners(STORE_CHANNEL)
  const page = createPage(origin.home, setImmediate)
  // Before anything waits, so that no dictionary is downloaded (spell-checker.ts), and before the window, whose background
  // depends on the theme.
  const { preferences, loginItem, spellChecker } = setupPreferences({
    page,
    documents,
    appImage,
    crashDumps,
    log,
  })
  const { backend, server } = setupServer({ page, documents, origin, userData, log })
  await server.start()

  const openExternal = createOpenExternal(shell, now, log)
  const vault = createSessionVault({
    cipher: createVaultCipher({ system: safeStorage, platform: process.platform, wait, log }),
    file: documents.sessions,
    mayUse: (key) => isSessionKey(key, server.storageKey()),
    schedule,
    recovered: page.reload,
    signedOut: () => void crashDumps.deleteAll(),
    log,
  })

  setupNavigation(app, origin, { openExternal, openPage: (path) => desktop.openPage(path) })
  setupPermissions(session.defaultSession, origin)
  setupDownloads({ session: session.defaultSession, origin, now, log })
  const libheif = libheifFolder(app.isPackaged, process.resourcesPath)
  const videos = createServedVideos()
  setupAppProtocol(
    protocol,
    { renderer: builtPaths.renderer, libheif },
    () => contentSecurityPolicy(server.url()),
    videos.answer,
  )
  if (origin.isDevServer) setupDevServer(session.defaultSession, origin.home, server.url)

  const { window, savePicture } = openWindow(documents, page, log)
  page.attach(window)
  // The member may return from the system's settings.
  window.on('focus', () => void preferences.refresh())
  const desktop = setupDesktop({
    window,
    page,
    documents,
    backend,
    server,
    guard,
    launchRequests,
    launchInfo,
    appImage,
    isAccelerated,
    keepsCrashDumps: crashDumps.isKeeping,
    restart,
    userData,
    loginItem,
    spellChecker,
    serveVideo: videos.serve,
    log,
  })
  const recovery = setupRendererRecovery(window.webContents, {
    now,
    reload: page.reload,
    giveUp: () => {
      dialog.showErrorBox(texts.crash.title, texts.crash.body)
      app.quit()
    },
    isVisible: () => !window.isDestroyed() && window.isVisible() && !window.isMinimized(),
    ask: async (options) => (await dialog.showMessageBox(window, options)).response,
    log,
  })
  registerHandlers(
    ipcMain,
    {
      ...server.handlers,
      ...sessionHandlers(vault),
      ...fileHandlers((options) => dialog.showOpenDialog(window, options)),
      ...savePicture.handlers,
      ...shellHandlers({
        openExternal,
        mailFile: async () => (await server.handlers['server.current']()).mailFile,
        showInFolder: (path) => shell.showItemInFolder(path),
      }),
      ...findHandlers(window.webContents),
      ...backendHandlers(backend),
      ...logHandlers(log),
      ...preferences.handlers,
      ...recovery,
      ...desktop.handlers,
    },
    { isOrigin: origin.isOrigin, now, log },
  )
  page.loadHome()
  if (server.isChoiceLost())
    // Without a parent: the window is not shown yet.
    void dialog.showMessageBox({
      type: 'warning',
      message: texts.server.lostTitle,
      detail: texts.server.lostBody,
    })
  // Run after `loadHome`, which is deferred too.
  setImmediate(desktop.finishSetup)

  const flush = () => session.defaultSession.flushStorageData()
  return {
    window,
    hasPendingWork: desktop.hasPendingWork,
    preventInstall: desktop.preventInstall,
    flush,
    stop: async () => {
      await desktop.finishPendingWork()
      flush()
      await Promise.all([backend.stop(), vault.settled()])
    },
    restart: server.start,
  }
}
