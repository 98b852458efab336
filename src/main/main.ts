import { app, dialog, Menu, powerMonitor, protocol } from 'electron'
import { setWindowsIdentity } from './app-identity'
import { registerAppScheme } from './app-protocol'
import { type Log, logWritten, setupLog } from './log'
import { createPageOrigin } from './origin'
import { collectOutsideWishes } from './outside-wishes'
import { setupQuitGuard } from './quit-guard'
import { logGoneProcesses } from './renderer-recovery'
import { followSessionEnd } from './session-end'
import { claimSingleInstance, relaunchOptions } from './single-instance'
import { type RunningApp, startApp } from './start-app'
import { ownArguments, readArguments } from './start-arguments'
import { texts } from './texts'
import { wait } from './timers'
import { hideWindow } from './window'

/** How long a disk that hangs may keep an app that cannot start. */
const LAST_LINES_MS = 2_000

/** The desktop app from its first line on: what must happen before Electron is ready, then `startApp`. */
export function main(): void {
  let running: RunningApp | null = null
  const openWindow = () => (running === null || running.window.isDestroyed() ? null : running.window)

  if (process.platform === 'win32') setWindowsIdentity(app)
  // enableSandbox would override the switch, which AppImages add where the system forbids Chromium's sandbox.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  // Electron's default menu would show until ours is there.
  Menu.setApplicationMenu(null)
  registerAppScheme(protocol)

  const isFirst = claimSingleInstance(app, {
    isQuitting: () => guard.isQuitting(),
    show: (argv, workingDirectory) => wishes.secondStart(argv, workingDirectory),
    relaunchOptions: (argv, workingDirectory) =>
      relaunchOptions(
        readArguments(ownArguments(argv, app.isPackaged), workingDirectory),
        app.isPackaged ? { appImage: process.env.APPIMAGE ?? null } : { project: app.getAppPath() },
      ),
  })
  if (!isFirst) return

  const log = setupLog(app.getPath('logs'))
  // The first line also opens the file, once and for all.
  log.info(`Vignette ${app.getVersion()} starts on ${process.platform}`)
  surviveDefects(log)
  logGoneProcesses(app, log)
  const start = { argv: process.argv, workingDirectory: process.cwd() }
  const wishes = collectOutsideWishes(app, start, log)
  const origin = createPageOrigin(app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL)
  const guard = setupQuitGuard({
    app,
    leave: () => {
      const window = openWindow()
      if (window !== null) hideWindow(window, process.platform)
    },
    restart: async () => running?.restart(),
    stop: () => (running?.stop() ?? Promise.resolve()).finally(logWritten),
    wait,
    log,
  })

  let launchInfo: unknown
  app.once('ready', (_event, info) => {
    launchInfo = info
  })
  app
    .whenReady()
    .then(async () => {
      running = await startApp({ origin, log, guard, wishes, launchInfo: () => launchInfo })
      followSessionEnd({ app, powerMonitor, ...running })
    })
    .catch((cause: unknown) => failToStart(cause, log))
}

/** What nobody caught: a promise is logged; an exception leaves an unknown state, so the app says so and quits. */
function surviveDefects(log: Log): void {
  process.on('unhandledRejection', (cause) => log.error('unhandled rejection', cause))
  process.on('uncaughtException', (cause) => {
    log.error('uncaught exception', cause)
    dialog.showErrorBox(texts.defect.title, texts.defect.body(app.getPath('logs')))
    app.quit()
  })
}

function failToStart(cause: unknown, log: Log): void {
  log.error('start failed', cause)
  dialog.showErrorBox(texts.startup.title, texts.startup.body(app.getPath('logs')))
  void Promise.race([logWritten(), wait(LAST_LINES_MS)]).finally(() => app.exit(1))
}
