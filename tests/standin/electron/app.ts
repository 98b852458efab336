import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import { openWindows, setAppHooks } from './browser-window'
import { lacksDesktopEntry } from './desktop-entry'
import {
  becomeReady,
  hasBecomeReady,
  knowsOnly,
  PreventableEvent,
  StandinEmitter,
  strict,
  type Unknown,
} from './life'
import { setDockMenu } from './menu'
import { record } from './record'

function userDataFolder(): string {
  const given = process.env.STANDIN_USER_DATA
  if (given === undefined) throw new Error('the electron stand-in needs STANDIN_USER_DATA')
  return given
}

class StandinApp extends StandinEmitter {
  constructor() {
    super('app')
  }

  readonly isPackaged = process.env.STANDIN_PACKAGED !== 'no'
  #ready = new Promise<void>((resolve) => {
    setImmediate(() => {
      becomeReady()
      // On macOS it contains the notification that started the app.
      this.emit('ready', new PreventableEvent(), JSON.parse(process.env.STANDIN_LAUNCH_INFO ?? '{}'))
      resolve()
    })
  })

  whenReady(): Promise<void> {
    return this.#ready
  }

  isReady(): boolean {
    return hasBecomeReady()
  }

  setName(name: string): void {
    record.appName = name
  }

  setPath(name: string, path: string): void {
    if (name !== 'userData' || path !== userDataFolder())
      throw new Error(`the electron stand-in keeps its ${name}`)
  }

  getPath(name: string): string {
    const folders: Record<string, string> = {
      userData: '',
      logs: 'logs',
      crashDumps: 'Crashpad',
      pictures: 'Pictures',
    }
    const folder = folders[name]
    if (folder === undefined) throw new Error(`the electron stand-in has no path '${name}'`)
    const path = join(userDataFolder(), folder)
    // Electron creates the folder of crash dumps only with the crash reporter.
    if (name !== 'crashDumps') mkdirSync(path, { recursive: true })
    return path
  }

  getAppPath(): string {
    return join(userDataFolder(), '..')
  }

  getPreferredSystemLanguages(): string[] {
    return ['de-AT', 'en-GB']
  }

  getLocale(): string {
    return 'en-GB'
  }

  focus(): void {
    record.appFocused += 1
  }

  setBadgeCount(count = 0): boolean {
    if (lacksDesktopEntry()) return false
    record.badge = String(count)
    return true
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    if (lacksDesktopEntry()) return false
    record.linkSchemes.push(scheme)
    record.order.push('links')
    return true
  }

  setUserTasks(tasks: Electron.Task[]): boolean {
    if (process.platform !== 'win32') throw new TypeError('app.setUserTasks is not a function')
    record.userTasks = tasks.map((task) => ({ title: task.title, arguments: task.arguments }))
    return true
  }

  isInApplicationsFolder(): boolean {
    if (process.platform !== 'darwin') throw new TypeError('app.isInApplicationsFolder is not a function')
    return process.env.STANDIN_FOLDER !== 'downloads'
  }

  /** Electron starts the moved app and quits this one (electron_bundle_mover.mm). */
  moveToApplicationsFolder(): boolean {
    if (process.platform !== 'darwin') throw new TypeError('app.moveToApplicationsFolder is not a function')
    if (process.env.STANDIN_MOVE === 'fails')
      throw new Error('Failed to copy current bundle to the applications folder')
    record.moves += 1
    this.quit()
    return true
  }

  getGPUFeatureStatus(): Pick<Electron.GPUFeatureStatus, 'gpu_compositing' | 'webgl'> {
    return { gpu_compositing: record.isAccelerated ? 'enabled' : 'disabled_software', webgl: 'unavailable' }
  }

  setLoginItemSettings(settings: Electron.Settings): void {
    record.loginItem = settings
    this.isLoginItemOff = false
  }

  getVersion(): string {
    return '0.0.0'
  }

  setAboutPanelOptions(options: Electron.AboutPanelOptionsOptions): void {
    record.about = options
  }

  setAppUserModelId(id: string): void {
    record.appUserModelId = id
  }

  setToastActivatorCLSID(id: string): void {
    if (!/^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(id))
      throw new Error('Invalid CLSID format')
    record.toastActivator = id
  }

  /** Overrides `--no-sandbox`, as in Electron. */
  enableSandbox(): void {
    if (hasBecomeReady()) throw new Error('app.enableSandbox() can only be called before app is ready')
    record.isSandboxEnabled = true
  }

  disableHardwareAcceleration(): void {
    if (hasBecomeReady())
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready')
    record.isAccelerated = false
  }

  requestSingleInstanceLock(): boolean {
    return process.env.STANDIN_SECOND !== 'yes'
  }

  /** The Chromium switches of the command line. */
  readonly commandLine = strict('app.commandLine', {
    hasSwitch: (name: string) => process.argv.includes(`--${name}`),
  } satisfies Partial<Electron.CommandLine>)

  /** macOS only. `bounce` returns -1 while the app is focused. */
  get dock(): Pick<Electron.Dock, 'bounce' | 'setMenu'> | undefined {
    if (process.platform !== 'darwin') return undefined
    return strict('app.dock', {
      setMenu: (menu: Electron.Menu) => setDockMenu(menu),
      bounce: (_type?: 'critical' | 'informational') => {
        if (openWindows().some((window) => window.isFocusedNow)) return -1
        record.bounces += 1
        return record.bounces
      },
    } satisfies Partial<Electron.Dock>)
  }

  /** Whether Task Manager or the system settings disabled the login item. */
  isLoginItemOff = false

  getLoginItemSettings(
    _options: Electron.LoginItemSettingsOptions = {},
  ): Pick<Electron.LoginItemSettings, 'wasOpenedAtLogin' | 'openAtLogin' | 'executableWillLaunchAtLogin'> {
    const isSet = record.loginItem?.openAtLogin === true
    const isOn = isSet && !this.isLoginItemOff
    return {
      wasOpenedAtLogin: process.env.STANDIN_LOGIN_START === 'yes',
      // On Windows a disabled entry still exists.
      openAtLogin: process.platform === 'win32' ? isSet : isOn,
      executableWillLaunchAtLogin: isOn,
    }
  }

  relaunch(options: Electron.RelaunchOptions = {}): void {
    record.relaunches.push(options)
  }

  #isQuitting = false

  isGoingToQuit(): boolean {
    return this.#isQuitting
  }

  /** Emits before-quit synchronously, as Electron does; windows and process end later. */
  quit(): void {
    if (this.#isQuitting) return
    const event = new PreventableEvent()
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    this.#isQuitting = true
    if (openWindows().length === 0) this.#shutDown()
    for (const window of openWindows()) window.close()
  }

  /** A window prevented its close, so the app stays. */
  cancelQuit(): void {
    this.#isQuitting = false
  }

  lastWindowGone(): void {
    if (this.#isQuitting) this.#shutDown()
    else this.emit('window-all-closed')
  }

  #shutDown(): void {
    setImmediate(() => {
      const event = new PreventableEvent()
      this.emit('will-quit', event)
      if (!event.defaultPrevented) this.exit(0)
    })
  }

  exit(code = 0): void {
    this.emit('quit', new PreventableEvent(), code)
    process.exit(code)
  }
}

knowsOnly<Unknown<StandinApp, App, 'isLoginItemOff' | 'isGoingToQuit' | 'cancelQuit' | 'lastWindowGone'>>()

export const standinApp = new StandinApp()
setAppHooks({
  contentsCreated: (contents) => {
    // As lib/browser/api/web-contents.ts.
    contents.on('render-process-gone', (event, details) =>
      standinApp.emit('render-process-gone', event, contents, details),
    )
    standinApp.emit('web-contents-created', new PreventableEvent(), contents)
  },
  closeRefused: () => standinApp.cancelQuit(),
  lastWindowGone: () => standinApp.lastWindowGone(),
})
export const app = strict('app', standinApp)
