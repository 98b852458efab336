import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import type { BrowserContext, Electron as PlaywrightElectron } from '@playwright/test'
import { electronExecutable } from '../../../../scripts/lib/desktop.mjs'
import { signalTree } from '../../../../scripts/lib/process.mjs'
import type { RunningApp, Runtime, StartOptions } from './desktop'

const root = resolve(import.meta.dirname, '../../../..')
const recorder = join(import.meta.dirname, 'recorder.cjs')

/** A first start on macOS waits for the check of a new program. */
const START_MS = 180_000

interface DesktopRecord {
  notifications: Electron.Notification[]
  onScreen: Set<Electron.Notification>
  openedExternally: string[]
  shownInFolder: string[]
  openedPaths: string[]
  nextFiles: string[]
  badge: string
  progress: { fraction: number; isPaused: boolean } | null
  toolTip: string
  trayMenu: Electron.Menu | null
  idleTime: number
  releaseBackend(): void
}

declare global {
  /** The records of recorder.cjs, in Electron's main process. */
  var desktopRecord: DesktopRecord
}

/** Runs the app on the installed Electron. */
export function electronRuntime(electron: PlaywrightElectron): Runtime {
  return {
    openProfile: async (userData, watch) => ({
      start: (args, options) => start(electron, userData, args, options, watch),
      close: async () => undefined,
    }),
    close: async () => undefined,
  }
}

async function start(
  electron: PlaywrightElectron,
  userData: string,
  args: readonly string[],
  { isBackendHeld }: StartOptions,
  watch: (context: BrowserContext) => void,
): Promise<RunningApp> {
  const {
    SUPABASE_URL: _url,
    SUPABASE_PUBLISHABLE_KEY: _key,
    ELECTRON_RENDERER_URL: _dev,
    ...inherited
  } = process.env
  const env = Object.fromEntries(
    Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const own = ['.', `--user-data-dir=${userData}`]
  const app = await electron.launch({
    args: ['-r', recorder, ...own, ...args],
    cwd: root,
    env: { ...env, ...(isBackendHeld && { RECORDER_BACKEND: 'held' }) },
    timeout: START_MS,
  })
  watch(app.context())
  const child = app.process()
  const ended = app.waitForEvent('close', { timeout: 0 }).then(() => child.exitCode)
  // On Windows Playwright starts Electron through a shell; a killed shell would leave Electron running, with the pipes
  // whose end is 'close'.
  const kill = async () => {
    signalTree(child, 'SIGKILL')
    await ended
  }
  const page = await app.firstWindow({ timeout: START_MS }).catch(async (cause: unknown) => {
    await kill()
    throw cause
  })
  // A call that ends the app gets no reply.
  const untilEnded = (asked: Promise<unknown>) =>
    Promise.race([asked.catch(() => undefined), ended]).then(() => undefined)

  return {
    page,
    window: () =>
      app.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows()
        if (window === undefined) throw new Error('no window is open')
        return {
          isVisible: window.isVisible(),
          isFocused: window.isFocused(),
          isFullScreen: window.isFullScreen(),
          bounds: window.getBounds(),
        }
      }),
    handleWindow: (act) =>
      app.evaluate(({ BrowserWindow }, name) => BrowserWindow.getAllWindows()[0]?.[name](), act),
    moveWindow: (bounds) =>
      app.evaluate(({ BrowserWindow }, place) => BrowserWindow.getAllWindows()[0]?.setBounds(place), bounds),
    closeWindow: () =>
      untilEnded(app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())),
    notifications: () =>
      app.evaluate(() => desktopRecord.notifications.map(({ title, body }) => ({ title, body }))),
    notificationsOnScreen: () => app.evaluate(() => desktopRecord.onScreen.size),
    clickNotification: () =>
      app.evaluate(({ Notification }) => {
        const last = desktopRecord.notifications.at(-1)
        if (last === undefined) return
        desktopRecord.onScreen.delete(last)
        // Its own `emit` keeps the system's events from the app.
        Notification.prototype.emit.call(last, 'click', {})
      }),
    tray: () =>
      app.evaluate(() => ({
        toolTip: desktopRecord.toolTip,
        labels: desktopRecord.trayMenu?.items.map(({ label }) => label).filter((label) => label !== '') ?? [],
      })),
    clickTray: async (label) => {
      const labels = await app.evaluate(() => desktopRecord.trayMenu?.items.map((item) => item.label))
      if (!labels?.includes(label)) throw new Error(`no entry '${label}' in the tray menu`)
      await untilEnded(
        app.evaluate((_electron, name) => {
          desktopRecord.trayMenu?.items.find((item) => item.label === name)?.click()
        }, label),
      )
    },
    clickMenu: (label) =>
      app.evaluate(({ Menu }, name) => {
        const entries = Menu.getApplicationMenu()?.items.flatMap((item) => [
          item,
          ...(item.submenu?.items ?? []),
        ])
        const found = entries?.find((item) => item.label === name)
        if (found === undefined) throw new Error(`no entry '${name}' in the application menu`)
        found.click()
      }, label),
    badge: () => app.evaluate(() => desktopRecord.badge),
    progress: () => app.evaluate(() => desktopRecord.progress),
    openedExternally: () => app.evaluate(() => desktopRecord.openedExternally),
    shownInFolder: () => app.evaluate(() => desktopRecord.shownInFolder),
    openedPaths: () => app.evaluate(() => desktopRecord.openedPaths),
    chooseFile: (path) =>
      app.evaluate((_electron, chosen) => {
        desktopRecord.nextFiles.push(chosen)
      }, path),
    startAgain: async (more) => {
      // Like Playwright's launch: Chromium's sandbox is often unavailable where tests run.
      const switches = process.platform === 'linux' ? ['--no-sandbox'] : []
      const second = spawn(String(electronExecutable()), [...switches, ...own, ...more], {
        cwd: root,
        env,
        stdio: 'ignore',
      })
      await once(second, 'exit')
    },
    crashPage: () =>
      app.evaluate(({ BrowserWindow }) => {
        const details = { reason: 'crashed', exitCode: 5 }
        BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, details)
      }),
    setIdle: (seconds) =>
      app.evaluate((_electron, idleTime) => {
        desktopRecord.idleTime = idleTime
      }, seconds),
    resume: () =>
      app.evaluate(({ powerMonitor }) => {
        powerMonitor.emit('resume')
      }),
    endSession: () =>
      untilEnded(
        app.evaluate(({ app: electronApp, BrowserWindow, powerMonitor }) => {
          if (process.platform !== 'win32') {
            powerMonitor.emit('shutdown', { preventDefault: () => undefined })
            return
          }
          const [window] = BrowserWindow.getAllWindows()
          const event = { reasons: ['logoff'], preventDefault: () => undefined }
          window?.emit('query-session-end', event)
          window?.emit('session-end', event)
          // Windows would end the process now.
          electronApp.exit(0)
        }),
      ),
    releaseBackend: () => app.evaluate(() => desktopRecord.releaseBackend()),
    killBackend: async () => {
      const pid = await app.evaluate(
        ({ app: itself }) => itself.getAppMetrics().find((metric) => metric.name === 'Vignette backend')?.pid,
      )
      if (pid === undefined) throw new Error('the backend does not run')
      process.kill(pid, 'SIGKILL')
    },
    quit: async () => {
      await untilEnded(app.evaluate(({ app: itself }) => itself.quit()))
      await ended
    },
    ended,
    kill,
  }
}
