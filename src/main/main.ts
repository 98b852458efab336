import { app, crashReporter, dialog, Menu, powerMonitor, protocol } from 'electron'
import { openDocuments } from './files/documents'
import { setupCrashDumps } from './help/crash-dumps'
import { setupGraphics } from './help/graphics'
import { setWindowsIdentity } from './installation/app-identity'
import { takeAppImage } from './installation/app-image'
import { launchArguments, parseLaunchArguments } from './launch/launch-arguments'
import { collectLaunchRequests } from './launch/launch-requests'
import { hasSandbox } from './launch/sandbox'
import { handleSessionEnd } from './launch/session-end'
import { claimSingleInstance, relaunchOptions } from './launch/single-instance'
import { flushLog, type Log, setupLog } from './log'
import { registerAppScheme } from './server/app-protocol'
import { createPageOrigin } from './server/origin'
import { type RunningApp, startApp } from './start-app'
import { texts } from './texts'
import { schedule, wait } from './timers'
import { setupQuitGuard } from './window/quit-guard'
import { logProcessExits } from './window/renderer-recovery'
import { hideWindow } from './window/window'

/** Longest wait for the log before exiting. */
const LOG_FLUSH_TIMEOUT_MS = 2_000

/** Runs the desktop app: first what must happen before Electron is ready, then `startApp`. */
export function main(): void {
  let running: RunningApp | null = null
  const openWindow = () => (running === null || running.window.isDestroyed() ? null : running.window)

  if (process.platform === 'win32') setWindowsIdentity(app)
  // enableSandbox would override the switch, which AppImages add on systems that forbid Chromium's sandbox.
  if (hasSandbox(app)) app.enableSandbox()
  // Electron's default menu would be visible until ours is set.
  Menu.setApplicationMenu(null)
  registerAppScheme(protocol)

  const appImage = takeAppImage(process.env, process.execPath)
  const program = app.isPackaged ? { appImage: appImage?.path ?? null } : { project: app.getAppPath() }
  const isFirst = claimSingleInstance(app, {
    isQuitting: () => guard.isQuitting(),
    show: (argv, workingDirectory) => launchRequests.fromSecondInstance(argv, workingDirectory),
    relaunchOptions: (argv, workingDirectory) =>
      relaunchOptions(parseLaunchArguments(launchArguments(argv, app.isPackaged), workingDirectory), program),
  })
  if (!isFirst) return

  const log = setupLog(app.getPath('logs'))
  // The first write also opens the file.
  log.info(`Vignette ${app.getVersion()} starts on ${process.platform}`)
  handleUncaughtErrors(log)
  logProcessExits(app, log)
  const documents = openDocuments(app.getPath('userData'), process.platform, log)
  const isAccelerated = setupGraphics({
    app,
    preferences: documents.preferences,
    now: () => performance.now(),
    log,
  })
  const crashDumps = setupCrashDumps({
    app,
    crashReporter,
    isWanted: () => documents.preferences.read().keepCrashDumps,
    schedule,
    now: Date.now,
    log,
  })
  const start = { argv: process.argv, workingDirectory: process.cwd() }
  const launchRequests = collectLaunchRequests(app, start, log)
  const origin = createPageOrigin(app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL)
  const guard = setupQuitGuard({
    app,
    leave: () => {
      const window = openWindow()
      if (window !== null) hideWindow(window, process.platform)
    },
    restart: async () => running?.restart(),
    stop: () => (running?.stop() ?? Promise.resolve()).finally(flushLog),
    wait,
    log,
  })

  const restart = () => {
    // Each call of `relaunch` would start one more process.
    if (guard.isQuitting()) return
    app.relaunch(relaunchOptions(null, program))
    app.quit()
  }

  let launchInfo: unknown
  app.once('ready', (_event, info) => {
    launchInfo = info
  })
  app
    .whenReady()
    .then(async () => {
      running = await startApp({
        origin,
        log,
        guard,
        launchRequests,
        launchInfo: () => launchInfo,
        documents,
        appImage,
        isAccelerated,
        crashDumps,
        restart,
      })
      handleSessionEnd({ app, powerMonitor, ...running })
    })
    .catch((cause: unknown) => exitAfterFailedStart(cause, log))
}

/** Logs unhandled rejections. After an uncaught exception the state is unknown, so the app shows an error and quits. */
function handleUncaughtErrors(log: Log): void {
  process.on('unhandledRejection', (cause) => log.error('unhandled rejection', cause))
  process.on('uncaughtException', (cause) => {
    log.error('uncaught exception', cause)
    dialog.showErrorBox(texts.defect.title, texts.defect.body(app.getPath('logs')))
    app.quit()
  })
}

function exitAfterFailedStart(cause: unknown, log: Log): void {
  log.error('start failed', cause)
  dialog.showErrorBox(texts.startup.title, texts.startup.body(app.getPath('logs')))
  void Promise.race([flushLog(), wait(LOG_FLUSH_TIMEOUT_MS)]).finally(() => app.exit(1))
}
