import { app, PreventableEvent, standinApp } from './app'
import { openWindows, type WindowAct } from './browser-window'
import { invoke, openChannels } from './ipc-main'
import { clickMenu, clickTray, type MenuPlace, menuLabels } from './menu'
import {
  answerNotification,
  clickNotification,
  closeNotification,
  type NotificationMode,
  setNotifications,
} from './notification'
import { answerFor } from './protocol'
import { record } from './record'
import { type KeychainMode, setKeychain } from './safe-storage'
import { setDisplays } from './screen'
import { beginDownload, endDownload, permissionHandlers } from './session'
import { nextFiles, powerMonitor, pressInDialog } from './system'
import { failUtilityProcesses, killUtilityProcesses } from './utility-process'

/** What a test may ask of the running app. Values cross by structured clone. */
export interface Driver {
  /** Calls the bridge as the page would; another frame may be named. */
  invoke(channel: string, args: unknown[], frame?: { parent: unknown; origin: string } | null): unknown
  /** Asks the app's protocol. */
  fetch(url: string): { status: number; headers: Record<string, string>; body: string }
  /** Asks the permission request handler and the check handler. */
  permission(name: string, url: string, isMainFrame: boolean): { request: boolean; check: boolean }
  inspect(): {
    record: typeof record
    channels: string[]
    windows: {
      options: Electron.BrowserWindowConstructorOptions
      url: string
      loads: number
      isVisible: boolean
      isFocused: boolean
      bounds: Electron.Rectangle
    }[]
  }
  /** Tries to lead the page elsewhere; tells whether it stayed. */
  navigate(url: string): boolean
  /** Tries window.open; tells the app's answer. */
  open(url: string): string
  /** A page tries to save something; tells whether it may. */
  download(url: string, filename: string): boolean
  /** It is saved, or the member did not want it. */
  endDownload(url: string): void
  /** The page does not load. */
  failLoad(): void
  chooseFile(path: string): void
  /** Presses a button of the message box that is open. */
  pressInDialog(label: string): void
  /** The member turns the app's start at login off in the system's settings. */
  turnLoginItemOff(): void
  /** Starts the app once more, with these arguments behind the program's own. */
  secondStart(args?: string[]): void
  /** The system asks to open a link or a file, as macOS does. */
  openFromSystem(kind: 'open-url' | 'open-file', what: string): void
  menuLabels(which: MenuPlace): string[]
  clickMenu(which: MenuPlace, label: string): void
  /** Clicks the notification shown last. */
  clickNotification(): void
  closeNotification(): void
  /** Replies in the notification shown last, or chooses its action (null). */
  answerNotification(reply: string | null): void
  setNotifications(mode: NotificationMode): void
  /** The computer wakes up. */
  resume(): void
  /** The page's process dies. */
  crashPage(): void
  closeWindow(): void
  /** The window is gone without having been asked. */
  destroyWindow(): void
  clickTray(): void
  /** The page is right-clicked on something. */
  rightClick(on: Partial<Electron.ContextMenuParams>): void
  /** A server leads the page elsewhere, or a page attaches a webview; tells whether that was prevented. */
  redirect(url: string): boolean
  attachWebview(): boolean
  /** The app's icon in the Dock is clicked. */
  activate(): void
  /** What a member does to the window, in their system's ways. */
  handleWindow(act: WindowAct): void
  moveWindow(bounds: Electron.Rectangle): void
  /** Displays are plugged in or out, or change: what each has for windows. */
  setDisplays(areas: Electron.Rectangle[]): void
  /** The system's keychain changes. */
  setKeychain(mode: KeychainMode): void
  /** The embedded backend dies at once. */
  killBackend(): void
  /** The same of a fatal error in V8, which Electron reports first. */
  failBackend(): void
  /** The power monitor reports something. */
  power(
    event:
      | 'lock-screen'
      | 'unlock-screen'
      | 'suspend'
      | 'resume'
      | 'user-did-resign-active'
      | 'user-did-become-active',
  ): void
  /** The computer is shut down, or the member logs off; tells whether the app delays it. */
  endSession(reasons?: Electron.WindowSessionEndEvent['reasons']): boolean
  /** Lets the main process meet an exception or a rejection that nobody catches. */
  defect(kind: 'exception' | 'rejection'): void
  quit(): void
}

type Served<F> = F extends (...args: infer A) => infer R ? (...args: A) => R | Promise<R> : never

function theWindow() {
  const [window] = openWindows()
  if (window === undefined) throw new Error('no window is open')
  return window
}

/** Whether the app prevents what an event of its page announces. */
function isPrevented(name: string, details: object): boolean {
  const event = Object.assign(new PreventableEvent(), details)
  theWindow().webContents.emit(name, event)
  return event.defaultPrevented
}

const HOME_FRAME = { parent: null, origin: 'app://bundle' }

export const driver: { [Name in keyof Driver]: Served<Driver[Name]> } = {
  invoke: (channel, args, frame = HOME_FRAME) => invoke(channel, args, frame),
  fetch: async (url) => {
    const response = await answerFor(url)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  },
  permission: (name, url, isMainFrame) => {
    const { request, check } = permissionHandlers
    if (request === null || check === null) throw new Error('permissions are not handled')
    const permission = name as Parameters<typeof request>[1]
    const { webContents } = theWindow()
    const contents = webContents as unknown as Electron.WebContents
    let granted = false
    request(contents, permission, (answer) => (granted = answer), { isMainFrame, requestingUrl: url })
    const { protocol, host } = new URL(url)
    const details = { isMainFrame, requestingUrl: url }
    return { request: granted, check: check(contents, permission, `${protocol}//${host}/`, details) }
  },
  inspect: () => ({
    record,
    channels: openChannels(),
    windows: openWindows().map((window) => ({
      options: window.options,
      url: window.webContents.url,
      loads: window.webContents.loads,
      isVisible: window.isVisibleNow,
      isFocused: window.isFocusedNow,
      bounds: window.getBounds(),
    })),
  }),
  navigate: (url) => {
    return !theWindow().webContents.mayLeave({ url, isMainFrame: true, isByApp: false })
  },
  open: (url) => theWindow().webContents.openHandler?.({ url }).action ?? 'allow',
  download: beginDownload,
  endDownload,
  failLoad: () => {
    const { webContents } = theWindow()
    webContents.emit(
      'did-fail-load',
      new PreventableEvent(),
      -102,
      'ERR_CONNECTION_REFUSED',
      webContents.url,
      true,
    )
  },
  pressInDialog,
  turnLoginItemOff: () => {
    standinApp.isLoginItemOff = true
  },
  chooseFile: (path) => {
    nextFiles.push(path)
  },
  secondStart: (args = []) => {
    app.emit('second-instance', new PreventableEvent(), ['vignette', ...args], process.cwd())
  },
  openFromSystem: (kind, what) => {
    app.emit(kind, new PreventableEvent(), what)
  },
  menuLabels,
  clickMenu,
  clickNotification,
  closeNotification,
  answerNotification,
  setNotifications,
  resume: () => {
    powerMonitor.emit('resume')
  },
  crashPage: () => {
    const details = { reason: 'crashed', exitCode: 5 }
    theWindow().webContents.emit('render-process-gone', new PreventableEvent(), details)
  },
  closeWindow: () => theWindow().close(),
  destroyWindow: () => {
    setImmediate(() => theWindow().destroy())
  },
  clickTray,
  rightClick: (on) => {
    const nowhere = {
      x: 0,
      y: 0,
      isEditable: false,
      selectionText: '',
      misspelledWord: '',
      dictionarySuggestions: [],
      mediaType: 'none',
      hasImageContents: false,
      srcURL: '',
      linkURL: '',
    }
    theWindow().webContents.emit('context-menu', new PreventableEvent(), { ...nowhere, ...on })
  },
  redirect: (url) => isPrevented('will-redirect', { url, isMainFrame: true }),
  attachWebview: () => isPrevented('will-attach-webview', {}),
  activate: () => {
    app.emit('activate', new PreventableEvent(), theWindow().isVisibleNow)
  },
  handleWindow: (act) => theWindow().handle(act),
  moveWindow: (bounds) => theWindow().setBounds(bounds),
  setDisplays,
  setKeychain,
  killBackend: killUtilityProcesses,
  failBackend: failUtilityProcesses,
  power: (event) => {
    powerMonitor.emit(event)
  },
  endSession: (reasons = ['logoff']) => {
    if (process.platform !== 'win32') {
      powerMonitor.emit('shutdown', new PreventableEvent())
      return true
    }
    const window = theWindow()
    const event = Object.assign(new PreventableEvent(), { reasons })
    window.emit('query-session-end', event)
    if (event.defaultPrevented) return true
    // The test hears the answer first. What `query-session-end` began may have finished meanwhile, or not.
    setImmediate(() => {
      window.emit('session-end', Object.assign(new PreventableEvent(), { reasons }))
      // Windows ends the process right behind the listeners, unless the app is quitting by then.
      if (!standinApp.isGoingToQuit()) process.exit(0)
    })
    return false
  },
  defect: (kind) => {
    setImmediate(() => {
      if (kind === 'exception') throw new Error('a defect for the test')
      void Promise.reject(new Error('a rejection for the test'))
    })
  },
  quit: () => app.quit(),
}
