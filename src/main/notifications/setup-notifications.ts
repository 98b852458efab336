import { join } from 'node:path'
import { app, type BrowserWindow, nativeImage } from 'electron'
import type { openDocuments } from '#/main/files/documents'
import type { Log } from '#/main/log'
import type { Presence } from '#/main/session/presence'
import { schedule } from '#/main/timers'
import type { Page } from '#/main/window/page'
import { windowState } from '#/main/window/window'
import { contentToShow } from '#/shared/notice-privacy'
import { type AppRoute, routeInView } from '#/shared/routes'
import { createAttention } from './attention'
import { createNotificationPictures, type NotificationPictures } from './notification-pictures'
import { createNotifications, type Notifications } from './notifications'
import type { SystemNotifications } from './system-notifications'

export interface SetupNotificationsParts {
  window: BrowserWindow
  page: Page
  documents: Pick<ReturnType<typeof openDocuments>, 'preferences'>
  presence: Presence
  system: SystemNotifications
  open(route: AppRoute): void
  userData: string
  log: Log
}

/** Connects notices of the page to the system's notifications, the member's preferences and the window. */
export function setupNotifications(parts: SetupNotificationsParts): {
  notices: Notifications
  pictures: NotificationPictures
} {
  const { window, page, documents, presence, log } = parts
  const { platform } = process
  const pictures = createNotificationPictures({
    folder: join(parts.userData, 'notification-pictures'),
    decode: (bytes) => nativeImage.createFromBuffer(bytes),
    log,
  })
  const notices = createNotifications({
    system: parts.system,
    platform,
    context: () => ({
      now: Date.now(),
      preferences: documents.preferences.read(),
      window: windowState(window, presence.isAway()),
      inView: window.isDestroyed() ? null : routeInView(window.webContents.getURL()),
    }),
    shows: () => contentToShow(documents.preferences.read(), presence.isLocked()),
    open: parts.open,
    attention: createAttention({
      app,
      window,
      platform,
      isEnabled: () => documents.preferences.read().drawAttention,
    }),
    pictures,
    answered: () => page.send('notifications.answered', null),
    schedule,
    now: () => performance.now(),
  })
  return { notices, pictures }
}
