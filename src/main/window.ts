import type { App, BrowserWindow, BrowserWindowConstructorOptions, NativeTheme, Rectangle } from 'electron'
import type { WindowState } from '#/shared/bridge'
import type { Presence } from './presence'
import type { Schedule } from './timers'

/** The pages' background (design.md section 8), shown until the first paint: no white flash in the dark. */
export const PAPER = { light: '#FBF9F6', dark: '#131110' } as const

export function backgroundFor(theme: Pick<NativeTheme, 'shouldUseDarkColors'>): string {
  return theme.shouldUseDarkColors ? PAPER.dark : PAPER.light
}

export interface WindowLook {
  /** Absolute path of the built preload. */
  preload: string
  backgroundColor: string
  isPackaged: boolean
  /** Absolute path of its picture, where a window has one of its own. */
  icon: string | null
  /** Size and position of the last run, as far as there are any. */
  bounds: Partial<Rectangle>
}

export function windowOptions({
  preload,
  backgroundColor,
  isPackaged,
  icon,
  bounds,
}: WindowLook): BrowserWindowConstructorOptions {
  return {
    ...(icon !== null && { icon }),
    title: 'Vignette',
    width: 1180,
    height: 860,
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
      // Hidden in the tray, it still hears of messages; what need not run then listens to window.changed.
      backgroundThrottling: false,
      devTools: !isPackaged,
    },
  }
}

/** How long a window waits for its first page before it shows without it, in milliseconds. */
const FIRST_PAGE_MS = 4_000
/** Chromium's code for a load that another one replaced. */
const ABORTED = -3

type WaitingWindow = Pick<BrowserWindow, 'once'> & { webContents: Pick<BrowserWindow['webContents'], 'on'> }

/**
 * Calls back once the first page is there, whichever way Electron reports it: `ready-to-show` may never fire on Wayland, nor
 * after a load that failed.
 */
export function onFirstPage(window: WaitingWindow, schedule: Schedule, there: () => void): void {
  let isOver = false
  const end = (): boolean => {
    const isFirst = !isOver
    isOver = true
    cancel()
    return isFirst
  }
  const arrive = () => {
    if (end()) there()
  }
  const cancel = schedule(FIRST_PAGE_MS, arrive)
  window.once('ready-to-show', arrive)
  window.webContents.on('did-finish-load', arrive)
  window.webContents.on('did-fail-load', (_event, code, _description, _url, isMainFrame) => {
    if (isMainFrame && code !== ABORTED) arrive()
  })
  // Shown meanwhile, by a link for example: the member may have hidden it again by the time the page is there.
  window.once('show', end)
}

type HiddenWindow = Pick<BrowserWindow, 'once' | 'hide' | 'isFullScreen' | 'setFullScreen' | 'isDestroyed'>

/** Hides the window. macOS would leave an empty black Space behind a full-screen one, which has to leave full screen first. */
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

/** Brings the window to the front, from wherever it is and whatever is before it. */
export function showWindow(window: ShownWindow, app: Pick<App, 'focus'>, platform: NodeJS.Platform): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  if (platform === 'darwin') app.focus({ steal: true })
}

export interface CloseCustom {
  platform: NodeJS.Platform
  keepRunningInTray: boolean
  /** There is an icon to bring the window back by. */
  hasTray: boolean
  /** A member is signed in: there is something to keep running for. */
  isMemberHere: boolean
}

/** What closing the window means: on macOS the app stays in the Dock; elsewhere it quits, or stays in the tray. */
export function closingHides({ platform, keepRunningInTray, hasTray, isMemberHere }: CloseCustom): boolean {
  return platform === 'darwin' || (keepRunningInTray && hasTray && isMemberHere)
}

export interface WindowParts {
  app: Pick<App, 'on' | 'quit'>
  platform: NodeJS.Platform
  schedule: Schedule
  nativeTheme: Pick<NativeTheme, 'on' | 'shouldUseDarkColors'>
  isQuitting(): boolean
  /** The app was started with the computer: it waits in the tray. */
  startsHidden: boolean
  /** As `closingHides` says for now. */
  closingHides(): boolean
  /** Closing hid it. */
  hidden(): void
  show(): void
}

type MainWindow = Pick<
  BrowserWindow,
  'on' | 'show' | 'setBackgroundColor' | 'isVisible' | 'isMinimized' | 'isFocused'
> &
  HiddenWindow &
  WaitingWindow

/** The one window's life: shown when its first page is there, its background follows the theme, closing may hide it. */
export function setupWindow(window: MainWindow, parts: WindowParts): void {
  const { app, nativeTheme } = parts
  if (!parts.startsHidden) {
    onFirstPage(window, parts.schedule, () => {
      if (!window.isDestroyed()) window.show()
    })
  }
  nativeTheme.on('updated', () => {
    if (!window.isDestroyed()) window.setBackgroundColor(backgroundFor(nativeTheme))
  })
  window.on('close', (event) => {
    if (parts.isQuitting()) return
    event.preventDefault()
    // With the window the page would go, before it has finished.
    if (!parts.closingHides()) return app.quit()
    hideWindow(window, parts.platform)
    parts.hidden()
  })
  app.on('activate', () => {
    if (!window.isDestroyed()) parts.show()
  })
  app.on('window-all-closed', () => app.quit())
}

/** What the member sees of the window: nothing while the screen is locked or the computer sleeps. */
export function windowState(
  window: Pick<MainWindow, 'isDestroyed' | 'isVisible' | 'isMinimized' | 'isFocused'>,
  isAway: boolean,
): WindowState {
  if (window.isDestroyed() || isAway) return { isVisible: false, isFocused: false }
  return { isVisible: window.isVisible() && !window.isMinimized(), isFocused: window.isFocused() }
}

/** Tells whenever the window gets out of sight or comes back, to the front or behind others. */
export function followWindowState(
  window: MainWindow,
  presence: Presence,
  changed: (state: WindowState) => void,
): void {
  let last = windowState(window, presence.isAway())
  const look = () => {
    const next = windowState(window, presence.isAway())
    if (next.isVisible === last.isVisible && next.isFocused === last.isFocused) return
    last = next
    changed(next)
  }
  window.on('show', look)
  window.on('hide', look)
  window.on('minimize', look)
  window.on('restore', look)
  window.on('focus', look)
  window.on('blur', look)
  presence.onChange(look)
}
