import type { BrowserContext, Page } from '@playwright/test'

export interface WindowNow {
  isVisible: boolean
  isFocused: boolean
  isFullScreen: boolean
  bounds: Bounds
}

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** One run of the app, as seen by the system and the member. */
export interface RunningApp {
  readonly page: Page
  window(): Promise<WindowNow>
  /** The window's buttons and the taskbar. */
  handleWindow(act: 'focus' | 'blur' | 'minimize'): Promise<void>
  moveWindow(bounds: Bounds): Promise<void>
  closeWindow(): Promise<void>
  /** The system's notifications shown so far, oldest first. */
  notifications(): Promise<{ title: string; body: string }[]>
  /** The number of notifications still on screen. */
  notificationsOnScreen(): Promise<number>
  /** Clicks the latest notification. */
  clickNotification(): Promise<void>
  tray(): Promise<{ toolTip: string; labels: string[] }>
  clickTray(label: string): Promise<void>
  clickMenu(label: string): Promise<void>
  /** The unread count on Dock or launcher. */
  badge(): Promise<string>
  /** The progress on Dock, taskbar or launcher; only Windows shows that it is paused. */
  progress(): Promise<{ fraction: number; isPaused: boolean } | null>
  openedExternally(): Promise<string[]>
  shownInFolder(): Promise<string[]>
  /** Files and folders opened in other programs. */
  openedPaths(): Promise<string[]>
  /** The file for the next native dialog, which is cancelled without one. */
  chooseFile(path: string): Promise<void>
  /** Starts a second instance with these arguments. */
  startAgain(args: string[]): Promise<void>
  /** Simulates a crash of the page's process for the app: after a real crash the page could not be inspected. */
  crashPage(): Promise<void>
  /** Simulates that nobody has used the computer for this time; 0: somebody is there. */
  setIdle(seconds: number): Promise<void>
  /** Simulates a wake from sleep. */
  resume(): Promise<void>
  /** Simulates a shutdown or logoff. */
  endSession(): Promise<void>
  /** Lets the backend start, after `StartOptions.isBackendHeld`. */
  releaseBackend(): Promise<void>
  /** Kills the embedded backend. */
  killBackend(): Promise<void>
  quit(): Promise<void>
  /** Resolves with the exit code when the app has exited; null if a signal killed it. */
  ended: Promise<number | null>
  /** Kills the app. */
  kill(): Promise<void>
}

export interface StartOptions {
  /** Whether the backend starts only after `RunningApp.releaseBackend`. */
  isBackendHeld: boolean
}

/** A data folder that is used by several runs. */
export interface Profile {
  /** Starts the built app. Can be called again after it has exited. */
  start(args: readonly string[], options: StartOptions): Promise<RunningApp>
  close(): Promise<void>
}

/** The runtime of the app: real Electron or the stand-in. */
export interface Runtime {
  /** @param watch receives the browser context of each run before its first page. */
  openProfile(userData: string, watch: (context: BrowserContext) => void): Promise<Profile>
  close(): Promise<void>
}
