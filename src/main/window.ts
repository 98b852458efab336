import type { App, BrowserWindow, BrowserWindowConstructorOptions, NativeTheme } from 'electron'

/** The pages' background (design.md section 8), shown until the first paint: no white flash in the dark. */
export const PAPER = { light: '#FBF9F6', dark: '#131110' } as const

export function backgroundFor(theme: Pick<NativeTheme, 'shouldUseDarkColors'>): string {
  return theme.shouldUseDarkColors ? PAPER.dark : PAPER.light
}

/** @param preload absolute path of the built preload. */
export function windowOptions(
  preload: string,
  backgroundColor: string,
  isPackaged: boolean,
): BrowserWindowConstructorOptions {
  return {
    // Electron keeps size, place and display mode of a named window between runs.
    name: 'main',
    windowStatePersistence: true,
    title: 'Vignette',
    width: 1180,
    height: 860,
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
      devTools: !isPackaged,
    },
  }
}

/** Brings the window to the front, from wherever it is. */
export function showWindow(window: Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'>): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

export interface WindowParts {
  app: Pick<App, 'on' | 'quit'>
  nativeTheme: Pick<NativeTheme, 'on' | 'shouldUseDarkColors'>
  platform: NodeJS.Platform
  isQuitting(): boolean
}

type MainWindow = Pick<
  BrowserWindow,
  'on' | 'once' | 'show' | 'hide' | 'focus' | 'isMinimized' | 'restore' | 'isDestroyed' | 'setBackgroundColor'
>

/**
 * The one window's life: shown when its first page is drawn, its background follows the theme. On macOS closing hides
 * it and the Dock brings it back; elsewhere closing quits.
 */
export function setupWindow(
  window: MainWindow,
  { app, nativeTheme, platform, isQuitting }: WindowParts,
): void {
  window.once('ready-to-show', () => window.show())
  nativeTheme.on('updated', () => {
    if (!window.isDestroyed()) window.setBackgroundColor(backgroundFor(nativeTheme))
  })
  window.on('close', (event) => {
    if (platform !== 'darwin' || isQuitting()) return
    event.preventDefault()
    window.hide()
  })
  app.on('activate', () => {
    if (!window.isDestroyed()) showWindow(window)
  })
  app.on('window-all-closed', () => app.quit())
}
