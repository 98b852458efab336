import { app, Menu, Tray } from 'electron'
import type { DocumentFile } from '#/main/files/document-file'
import type { Hints } from '#/main/files/documents'
import { trayIconPath } from '#/main/installation/app-paths'
import type { Log } from '#/main/log'
import type { SystemNotifications } from '#/main/notifications/system-notifications'
import { texts } from '#/main/texts'
import type { AppRoute } from '#/shared/routes'
import { type AppTray, createTray, NO_TRAY } from './tray'

export interface SetupTrayParts {
  show(): void
  open(route: AppRoute): void
  log: Pick<Log, 'warn'>
}

export interface LazyTray extends AppTray {
  /** Creates the icon, with the unread count set so far. */
  create(): void
}

/** The tray can be used before its icon is created, which happens after the first window is on screen. */
export function setupTray({ show, open, log }: SetupTrayParts): LazyTray {
  let tray: AppTray = NO_TRAY
  let unread = 0
  return {
    create: () => {
      tray = createTray({
        platform: process.platform,
        create: (image) => new Tray(image),
        buildMenu: (template) => Menu.buildFromTemplate(template),
        image: (hasUnread) => trayIconPath(process.platform, hasUnread),
        show,
        open,
        quit: () => app.quit(),
        log,
      })
      tray.setUnread(unread)
    },
    isAvailable: () => tray.isAvailable(),
    setUnread: (count) => {
      unread = count
      tray.setUnread(count)
    },
  }
}

export interface TrayHintParts {
  hints: DocumentFile<Hints>
  notifications: Pick<SystemNotifications, 'isSupported' | 'show'>
  log: Pick<Log, 'warn'>
}

/** Explains once why closing the window did not quit the app. */
export function showTrayHintOnce({ hints, notifications, log }: TrayHintParts): void {
  if (process.platform === 'darwin' || hints.read().tray || !notifications.isSupported()) return
  try {
    hints.write({ ...hints.read(), tray: true })
  } catch (cause) {
    log.warn('could not save the hints', cause)
  }
  notifications.show({ title: texts.tray.hintTitle, body: texts.tray.hintBody })
}
