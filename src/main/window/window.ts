import type { App, BrowserWindow, BrowserWindowConstructorOptions, NativeTheme, Rectangle } from 'electron'
import type { Presence } from '#/main/session/presence'
import type { Schedule } from '#/main/timers'
import type { WindowState } from '#/shared/bridge'

/** The page background (`--color-paper` in src/renderer/app/styles.css), shown until the first paint to avoid a flash. */
export const BACKGROUND = { light: '#FBF9F6', dark: '#131110' } as const

export function backgroundColorFor(theme: Pick<NativeTheme, 'shouldUseDarkColors'>): string {
  return theme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light
}

/** The window's size in its first run, in DIP. */
export const FIRST_SIZE = { width: 1180, height: 860 } as const

export interface WindowAppearance {
  /** Absolute path of the built preload script. */
  preload: string
  backgroundColor: string
  isPackaged: boolean
  /** Absolute path of the window's icon, or null to use the executable's. */
  icon: string | null
  /** From `initialBounds`. */
  bounds: Partial<Rectangle>
}

export function windowOptions({
  preload,
  backgroundColor,
  isPackaged,
  icon,
  bounds,
}: WindowAppearance): BrowserWindowConstructorOptions {
  return {
    ...(icon !== null && { icon }),
    title: 'Vignette',
    ...FIRST_SIZE,
    ...bounds,
    minWidth: 360,
    minHeight: 520,
    show: false,
    backgroundColor,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: true,
      // Messages must arrive while the window is hidden in the tray. Work that can pause uses window.changed.
      backgroundThrottling: false,
      devTools: !isPackaged,
    },
  }
}

/** Longest wait for the first page before the window is shown, in milliseconds. */
const FIRST_LOAD_TIMEOUT_MS = 4_000
/** Chromium's code for a load that another one replaced (ERR_ABORTED). */
const ABORTED = -3

type WaitingWindow = Pick<BrowserWindow, 'once'> & { webContents: Pick<BrowserWindow['webContents'], 'on'> }

/**
 * Calls back once when the first page has loaded or failed. `ready-to-show` may never fire on Wayland or after a failed
 * load.
 */
export function onFirstLoad(window: WaitingWindow, schedule: Schedule, onLoaded: () => void): void {
  let isDone = false
  const markDone = (): boolean => {
    const isFirst = !isDone
    isDone = true
    cancel()
    return isFirst
  }
  const finish = () => {
    if (markDone()) onLoaded()
  }
  const cancel = schedule(FIRST_LOAD_TIMEOUT_MS, finish)
  window.once('ready-to-show', finish)
  window.webContents.on('did-finish-load', finish)
  window.webContents.on('did-fail-load', (_event, code, _description, _url, isMainFrame) => {
    if (isMainFrame && code !== ABORTED) finish()
  })
  // If something else, e.g. a link, has already shown the window, do not show it again: the member may have hidden it
  // since.
  window.once('show', markDone)
}

type HiddenWindow = Pick<BrowserWindow, 'once' | 'hide' | 'isFullScreen' | 'setFullScreen' | 'isDestroyed'>

/**
 * Hides the window. On macOS it has to leave full screen first, because hiding would leave an empty black Space behind.
 */
export function hideWindow(window: HiddenWindow, platform: NodeJS.Platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) {
    window.hide()
    return
  }
  window.once('leave-full-screen', () => {
    if (!window.isDestroyed()) window.hide()
  })
  window.setFullScreen(false)
}

type ShownWindow = Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'>

/** Shows the window and brings it to the front, also if it is minimized or hidden. */
export function showWindow(window: ShownWindow, app: Pick<App, 'focus'>, platform: NodeJS.Platform): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  if (platform === 'darwin') app.focus({ steal: true })
}

export interface CloseContext {
  platform: NodeJS.Platform
  keepRunningInTray: boolean
  /** Whether there is a tray icon to open the window again. */
  hasTray: boolean
  /** Whether a member is signed in, so that running in the background has a use. */
  isSignedIn: boolean
}

/** Whether closing the window only hides it: always on macOS; elsewhere if the app should keep running in the tray. */
export function hidesOnClose({ platform, keepRunningInTray, hasTray, isSignedIn }: CloseContext): boolean {
  return platform === 'darwin' || (keepRunningInTray && hasTray && isSignedIn)
}

export interface WindowParts {
  app: Pick<App, 'on' | 'quit'>
  platform: NodeJS.Platform
  schedule: Schedule
  nativeTheme: Pick<NativeTheme, 'on' | 'shouldUseDarkColors'>
  isQuitting(): boolean
  /** The app was started at login and waits in the tray. */
  startsHidden: boolean
  /** Evaluates `hidesOnClose` for the current state. */
  hidesOnClose(): boolean
  /** Called after closing has hidden the window. */
  hidden(): void
  show(): void
}

type MainWindow = Pick<
  BrowserWindow,
  'on' | 'show' | 'setBackgroundColor' | 'isVisible' | 'isMinimized' | 'isFocused'
> &
  HiddenWindow &
  WaitingWindow

/**
 * Manages the main window: shows it after the first load, keeps its background in sync with the theme, and hides or
 * quits on close.
 */
export function setupWindow(window: MainWindow, parts: WindowParts): void {
  const { app, nativeTheme } = parts
  if (!parts.startsHidden) {
    onFirstLoad(window, parts.schedule, () => {
      if (!window.isDestroyed()) window.show()
    })
  }
  nativeTheme.on('updated', () => {
    if (!window.isDestroyed()) window.setBackgroundColor(backgroundColorFor(nativeTheme))
  })
  window.on('close', (event) => {
    if (parts.isQuitting()) return
    event.preventDefault()
    // Closing the window would unload the page before it has finished.
    if (!parts.hidesOnClose()) return app.quit()
    hideWindow(window, parts.platform)
    parts.hidden()
  })
  app.on('activate', () => {
    if (!window.isDestroyed()) parts.show()
  })
  app.on('window-all-closed', () => app.quit())
}

/** The window's visibility to the member: not visible while the screen is locked, nobody uses the computer, or it sleeps. */
export function windowState(
  window: Pick<MainWindow, 'isDestroyed' | 'isVisible' | 'isMinimized' | 'isFocused'>,
  isAway: boolean,
): WindowState {
  if (window.isDestroyed() || isAway) return { isVisible: false, isFocused: false }
  return { isVisible: window.isVisible() && !window.isMinimized(), isFocused: window.isFocused() }
}

/** Calls back when the window's visibility or focus changes. */
export function watchWindowState(
  window: MainWindow,
  presence: Presence,
  changed: (state: WindowState) => void,
): void {
  let last = windowState(window, presence.isAway())
  const check = () => {
    const next = windowState(window, presence.isAway())
    if (next.isVisible === last.isVisible && next.isFocused === last.isFocused) return
    last = next
    changed(next)
  }
  window.on('show', check)
  window.on('hide', check)
  window.on('minimize', check)
  window.on('restore', check)
  window.on('focus', check)
  window.on('blur', check)
  presence.onChange(check)
}
