import { app, type BrowserWindow, nativeTheme, screen } from 'electron'
import type { openDocuments } from '#/main/files/documents'
import type { HandlersOf } from '#/main/ipc'
import { isHiddenStart } from '#/main/launch/login-item'
import type { Log } from '#/main/log'
import { type LazyTray, showTrayHintOnce } from '#/main/menus/setup-tray'
import type { SystemNotifications } from '#/main/notifications/system-notifications'
import type { Presence } from '#/main/session/presence'
import { schedule } from '#/main/timers'
import type { Page } from './page'
import type { QuitGuard } from './quit-guard'
import { hidesOnClose, setupWindow, watchWindowState, windowState } from './window'
import { keepOnDisplay } from './window-placement'

export interface SetupMainWindowParts {
  window: BrowserWindow
  page: Page
  documents: Pick<ReturnType<typeof openDocuments>, 'preferences' | 'hints'>
  guard: Pick<QuitGuard, 'isQuitting'>
  tray: Pick<LazyTray, 'isAvailable'>
  notifications: SystemNotifications
  presence: Presence
  isSignedIn(): boolean
  show(): void
  log: Log
}

export interface MainWindow {
  /** The app was started at login and waits in the tray. */
  startsHidden: boolean
  handlers: HandlersOf<'window'>
}

/** Connects the main window to the tray, the displays and the member's preferences, and reports its state to the page. */
export function setupMainWindow(parts: SetupMainWindowParts): MainWindow {
  const { window, page, documents, tray, notifications, presence, show, log } = parts
  const { platform } = process
  const keepsRunning = () => documents.preferences.read().keepRunningInTray
  const startsHidden = isHiddenStart(app, { platform, argv: process.argv, keepsRunning: keepsRunning() })
  setupWindow(window, {
    app,
    platform,
    schedule,
    nativeTheme,
    isQuitting: parts.guard.isQuitting,
    startsHidden,
    hidesOnClose: () =>
      hidesOnClose({
        platform,
        keepRunningInTray: keepsRunning(),
        hasTray: tray.isAvailable(),
        isSignedIn: parts.isSignedIn(),
      }),
    hidden: () => showTrayHintOnce({ hints: documents.hints, notifications, log }),
    show,
  })
  watchWindowState(window, presence, (state) => page.send('window.changed', state))
  keepOnDisplay(window, screen)
  return { startsHidden, handlers: { 'window.state': () => windowState(window, presence.isAway()) } }
}
