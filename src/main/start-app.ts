import { homedir } from 'node:os'
import { join } from 'node:path'
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
  utilityProcess,
} from 'electron'
import { contentSecurityPolicy } from '#/shared/csp'
import { checkServer } from '#/shared/server-check'
import { builtPaths, windowIconPath } from './app-paths'
import { setupAppProtocol } from './app-protocol'
import { forkBackend } from './backend-child'
import { createBackendProcess } from './backend-process'
import { hasSnapshot } from './backend-snapshots'
import { bakedServer } from './baked-server'
import { backendHandlers, logHandlers, shellHandlers } from './bridge-handlers'
import { setupContextMenu } from './context-menu'
import { setupDesktop } from './desktop'
import { setupDevServer } from './dev-server'
import { STORE_CHANNEL } from './document-file'
import { openDocuments } from './documents'
import { setupDownloads } from './downloads'
import { createOpenExternal } from './external-links'
import { fileHandlers } from './file-dialogs'
import { pickPort } from './free-port'
import { registerHandlers } from './ipc'
import type { LaunchRequests } from './launch-requests'
import type { Log } from './log'
import { createLoginItem } from './login-item'
import { setupNavigation } from './navigation'
import type { PageOrigin } from './origin'
import { createPage } from './page'
import { setupPermissions } from './permissions'
import { createPreferences } from './preferences'
import type { QuitGuard } from './quit-guard'
import { setupRendererRecovery } from './renderer-recovery'
import { createSavePicture } from './save-picture'
import { createServerChoice, fixedServer } from './server-choice'
import { createSessionVault, isSessionKey, sessionHandlers } from './session-vault'
import { createSpellChecker } from './spell-checker'
import { texts } from './texts'
import { schedule, wait } from './timers'
import { createVaultCipher } from './vault-cipher'
import { backgroundColorFor, windowOptions } from './window'
import { initialBounds, persistPlacement } from './window-placement'

export interface AppContext {
  origin: PageOrigin
  log: Log
  guard: QuitGuard
  launchRequests: LaunchRequests
  /** The launch info of Electron's `ready` event: on macOS the notification that started the app. */
  launchInfo(): unknown
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

/**
 * Creates and connects all parts once Electron is ready. The window loads at once and does not wait for the backend.
 */
export async function startApp({
  origin,
  log,
  guard,
  launchRequests,
  launchInfo,
}: AppContext): Promise<RunningApp> {
  const now = () => performance.now()
  const userData = app.getPath('userData')
  const dataDir = join(userData, 'server')
  const documents = openDocuments(userData, process.platform, log)
  // Nothing uses this channel, and it checks no sender.
  ipcMain.removeAllListeners(STORE_CHANNEL)
  const page = createPage(origin.home, setImmediate)
  const backend = createBackendProcess({
    fork: () => forkBackend(utilityProcess, builtPaths.backend, log),
    start: { dataDir, allowedOrigins: [origin.name], demo: !process.argv.includes('--empty') },
    pickPort,
    lastPort: {
      read: () => documents.server.read().lastPort,
      write: (lastPort) => {
        try {
          documents.server.write({ ...documents.server.read(), lastPort })
        } catch (cause) {
          log.warn('could not save the port', cause)
        }
      },
    },
    hasSnapshot: () => hasSnapshot(dataDir),
    schedule,
    changed: (state) => page.send('backend.changed', state),
    moved: page.reload,
    log,
  })
  const server = createServerChoice({
    fixed: fixedServer(
      [{ url: process.env.SUPABASE_URL, publishableKey: process.env.SUPABASE_PUBLISHABLE_KEY }, bakedServer],
      log,
    ),
    file: documents.server,
    // Electron's fetch uses the system's proxies and certificates, like the page.
    check: (address) =>
      checkServer(address, (input, init) => net.fetch(input instanceof URL ? input.href : input, init)),
    embedded: backend,
    loadHome: page.loadHome,
    log,
  })
  await server.start()

  const openExternal = createOpenExternal(shell, now, log)
  const vault = createSessionVault({
    cipher: createVaultCipher({ system: safeStorage, platform: process.platform, wait, log }),
    file: documents.sessions,
    mayUse: (key) => isSessionKey(key, server.storageKey()),
    schedule,
    recovered: page.reload,
    log,
  })

  const loginItem = createLoginItem({
    app,
    platform: process.platform,
    program: process.env.APPIMAGE ?? process.execPath,
    configHome: process.env.XDG_CONFIG_HOME || join(homedir(), '.config'),
  })
  const spellChecker = createSpellChecker({
    session: session.defaultSession,
    platform: process.platform,
    log,
  })
  // Set up before the window, whose background depends on the theme.
  const preferences = createPreferences({
    file: documents.preferences,
    nativeTheme,
    loginItem,
    spellChecker,
    changed: (value) => page.send('preferences.changed', value),
    log,
  })

  setupNavigation(app, origin, openExternal)
  setupPermissions(session.defaultSession, origin)
  setupDownloads({ session: session.defaultSession, origin, now, log })
  setupAppProtocol(protocol, builtPaths.renderer, () => contentSecurityPolicy(server.url()))
  if (origin.isDevServer) setupDevServer(session.defaultSession, origin.home, server.url)

  const window = new BrowserWindow(
    windowOptions({
      preload: builtPaths.preload,
      backgroundColor: backgroundColorFor(nativeTheme),
      isPackaged: app.isPackaged,
      icon: process.platform === 'linux' ? windowIconPath : null,
      bounds: initialBounds(documents.window.read(), screen),
    }),
  )
  page.attach(window)
  persistPlacement(window, { file: documents.window, schedule, log })
  // The member may return from the system's settings.
  window.on('focus', () => void preferences.refresh())
  setupContextMenu(window.webContents, {
    platform: process.platform,
    popup: (template) => Menu.buildFromTemplate(template).popup({ window }),
    savePicture: createSavePicture({
      showSaveDialog: (options) => dialog.showSaveDialog(window, options),
      fetchUrl: (url) => net.fetch(url),
      failed: () => dialog.showErrorBox(texts.savePicture.failedTitle, texts.savePicture.failedBody),
      log,
    }),
    addToDictionary: (word) => session.defaultSession.addWordToSpellCheckerDictionary(word),
    copyText: (text) => clipboard.writeText(text),
  })
  const desktop = setupDesktop({
    window,
    page,
    documents,
    backend,
    server,
    guard,
    launchRequests,
    launchInfo,
    userData,
    canStartAtLogin: loginItem.isAvailable,
    spellChecker,
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
      ...shellHandlers({
        openExternal,
        mailFile: async () => (await server.handlers['server.current']()).mailFile,
        showInFolder: (path) => shell.showItemInFolder(path),
      }),
      ...backendHandlers(backend),
      ...logHandlers(log),
      ...preferences.handlers,
      ...recovery,
      ...desktop.handlers,
    },
    { isOrigin: origin.isOrigin, now, log },
  )
  page.loadHome()
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
