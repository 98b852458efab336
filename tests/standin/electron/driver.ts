import { app, standinApp } from './app'
import { openWindows, type WindowAct } from './browser-window'
import { invoke, openChannels } from './ipc-main'
import { PreventableEvent } from './life'
import { clickMenu, clickTray, type MenuPlace, menuLabels } from './menu'
import { actAs } from './menu-roles'
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
import { nextFiles, powerMonitor, pressInDialog, setIdle } from './system'
import { failUtilityProcesses, killUtilityProcesses, releaseMessages } from './utility-process'

/** The calls a test can make to the running app. Values are structured-cloned. */
export interface Driver {
  /** Calls the bridge like the page, or like another frame. */
  invoke(channel: string, args: unknown[], frame?: { parent: unknown; origin: string } | null): unknown
  /** Requests a URL from the app's protocol. */
  fetch(url: string): { status: number; headers: Record<string, string>; body: string }
  /** Calls the permission request handler and the check handler. */
  permission(name: string, url: string, isMainFrame: boolean): { request: boolean; check: boolean }
  inspect(): {
    record: typeof record
    channels: string[]
    windows: {
      options: Electron.BrowserWindowConstructorOptions
      url: string
      loads: number
      isVisible: boolean
      isFullScreen: boolean
      isFocused: boolean
      bounds: Electron.Rectangle
    }[]
  }
  /** Tries to navigate the page; returns whether it stayed. */
  navigate(url: string): boolean
  /** Calls window.open; returns the app's response. */
  open(url: string): string
  /** Starts a download; returns whether it is allowed. */
  download(url: string, filename: string): boolean
  /** Finishes or cancels the download. */
  endDownload(url: string): void
  /** Makes the page's load fail. */
  failLoad(): void
  chooseFile(path: string): void
  /** Clicks a button of the open message box. */
  pressInDialog(label: string): void
  /** Disables the login item in the system settings. */
  turnLoginItemOff(): void
  /** Starts a second instance with these arguments after the program's own. */
  secondStart(args?: string[]): void
  /** Opens a link or a file through the system, as on macOS. */
  openFromSystem(kind: 'open-url' | 'open-file', what: string): void
  menuLabels(which: MenuPlace): string[]
  clickMenu(which: MenuPlace, label: string): void
  /** Clicks the latest notification. */
  clickNotification(): void
  closeNotification(): void
  /** Replies in the latest notification, or chooses its action (null). */
  answerNotification(reply: string | null): void
  setNotifications(mode: NotificationMode): void
  /** Simulates a wake from sleep. */
  resume(): void
  /** Simulates a crash of the page's process. */
  crashPage(): void
  /** Simulates a crash of the GPU process, which Chromium then starts again. */
  crashGraphics(): void
  closeWindow(): void
  /** Destroys the window without a close event. */
  destroyWindow(): void
  clickTray(): void
  /** Right-clicks in the page. */
  rightClick(on: Partial<Electron.ContextMenuParams>): void
  /** Simulates a redirect or an attached webview; returns whether it was prevented. */
  redirect(url: string): boolean
  attachWebview(): boolean
  /** Clicks the app's icon in the Dock. */
  activate(): void
  /** Window actions of the member or the system. */
  handleWindow(act: WindowAct): void
  /** A swipe on macOS, or a command key on Windows and Linux. */
  command(event: 'swipe' | 'app-command', name: string): void
  moveWindow(bounds: Electron.Rectangle): void
  /** Changes the displays: the work area of each. */
  setDisplays(areas: Electron.Rectangle[]): void
  /** Changes the state of the keychain. */
  setKeychain(mode: KeychainMode): void
  /** Sends the backend the messages that `STANDIN_BACKEND=held` has kept from it. */
  releaseBackend(): void
  /** Kills the embedded backend. */
  killBackend(): void
  /** Ends the backend with a fatal V8 error, which Electron reports first. */
  failBackend(): void
  /** Emits an event of the power monitor. */
  power(
    event:
      | 'lock-screen'
      | 'unlock-screen'
      | 'suspend'
      | 'resume'
      | 'user-did-resign-active'
      | 'user-did-become-active',
  ): void
  /** Nobody has used the computer for this time; on Linux this alone says that the screen is locked. 0: somebody is there. */
  setIdle(seconds: number, isLocked: boolean): void
  /** Simulates a shutdown or logoff; returns whether the app delays it. */
  endSession(reasons?: Electron.WindowSessionEndEvent['reasons']): boolean
  /** Causes an uncaught exception or an unhandled rejection in the main process. */
  defect(kind: 'exception' | 'rejection'): void
  quit(): void
}

type Served<F> = F extends (...args: infer A) => infer R ? (...args: A) => R | Promise<R> : never

function theWindow() {
  const [window] = openWindows()
  if (window === undefined) throw new Error('no window is open')
  return window
}

/** Emits an event on the page; returns whether the app prevented it. */
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
      isFullScreen: window.isFullScreen(),
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
  clickMenu: (which, label) => clickMenu(which, label, actAs),
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
  crashGraphics: () => {
    const details = { type: 'GPU', reason: 'crashed', exitCode: 139 }
    app.emit('child-process-gone', new PreventableEvent(), details)
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
  command: (event, name) => {
    theWindow().emit(event, new PreventableEvent(), name)
  },
  handleWindow: (act) => theWindow().handle(act),
  moveWindow: (bounds) => theWindow().setBounds(bounds),
  setDisplays,
  setKeychain,
  releaseBackend: releaseMessages,
  killBackend: killUtilityProcesses,
  failBackend: failUtilityProcesses,
  power: (event) => {
    powerMonitor.emit(event)
  },
  setIdle,
  endSession: (reasons = ['logoff']) => {
    if (process.platform !== 'win32') {
      powerMonitor.emit('shutdown', new PreventableEvent())
      return true
    }
    const window = theWindow()
    const event = Object.assign(new PreventableEvent(), { reasons })
    window.emit('query-session-end', event)
    if (event.defaultPrevented) return true
    // Reply to the test first. Work started by `query-session-end` may or may not have finished by now.
    setImmediate(() => {
      window.emit('session-end', Object.assign(new PreventableEvent(), { reasons }))
      // Windows ends the process right after the listeners, unless the app is quitting.
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
