import type { BrowserContext, Page } from '@playwright/test'

export interface WindowNow {
  isVisible: boolean
  isFocused: boolean
  bounds: Bounds
}

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** One run of the app, as the system around it sees it and a member handles it. */
export interface RunningApp {
  readonly page: Page
  window(): Promise<WindowNow>
  /** What the window's buttons and the taskbar do. */
  handleWindow(act: 'focus' | 'blur' | 'minimize'): Promise<void>
  moveWindow(bounds: Bounds): Promise<void>
  closeWindow(): Promise<void>
  /** The system's notifications shown so far, oldest first. */
  notifications(): Promise<{ title: string; body: string }[]>
  /** How many of them were shown and neither clicked nor removed. */
  notificationsOnScreen(): Promise<number>
  /** Clicks the notification that was shown last. */
  clickNotification(): Promise<void>
  tray(): Promise<{ toolTip: string; labels: string[] }>
  clickTray(label: string): Promise<void>
  clickMenu(label: string): Promise<void>
  /** What dock or launcher show as unread. */
  badge(): Promise<string>
  openedExternally(): Promise<string[]>
  shownInFolder(): Promise<string[]>
  /** Files and folders opened in the system's programs for them. */
  openedPaths(): Promise<string[]>
  /** What the next native file dialog answers; without one it is cancelled. */
  chooseFile(path: string): Promise<void>
  /** Starts the app once more, with these arguments. */
  startAgain(args: string[]): Promise<void>
  /** The page's process dies, as far as the app hears of it: a page that is really gone could not be looked at any more. */
  crashPage(): Promise<void>
  /** The computer wakes up. */
  resume(): Promise<void>
  /** The computer is shut down, or the member logs off. */
  endSession(): Promise<void>
  /** The embedded backend's process dies at once. */
  killBackend(): Promise<void>
  quit(): Promise<void>
  /** Resolves with the exit code when the app has ended; null when a signal ended it. */
  ended: Promise<number | null>
  /** Ends it at once. */
  kill(): Promise<void>
}

/** The app's data folder with what belongs to it, over several runs. */
export interface Profile {
  /** Starts the built app; after it has ended, again. */
  start(args: readonly string[]): Promise<RunningApp>
  close(): Promise<void>
}

/** What the app runs on: real Electron, or the stand-in. */
export interface Runtime {
  /** @param watch is given the browser context of each run before its first page. */
  openProfile(userData: string, watch: (context: BrowserContext) => void): Promise<Profile>
  close(): Promise<void>
}
