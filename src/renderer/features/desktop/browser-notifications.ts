import { logIfFails } from '#/renderer/lib/core/logger'
import type { Notice } from '#/shared/bridge'

/** Whether this browser supports notifications. */
export function canNotify(): boolean {
  return 'Notification' in window
}

/** Asks for permission, unless the member has already answered. */
export function askForNotifications(): void {
  if (!canNotify() || Notification.permission !== 'default') return
  logIfFails('ask for notifications', Notification.requestPermission())
}

export interface BrowserNotifications {
  /** Shows a notification if permitted. The browser replaces one with the same id. */
  show(notice: Notice, open: () => void): void
  /** The ids of the visible notifications. */
  shown(): string[]
  /** Closes notifications by id; all for null. */
  close(ids: readonly string[] | null): void
}

export function createBrowserNotifications(): BrowserNotifications {
  const visible = new Map<string, Notification>()
  return {
    show: (notice, open) => {
      if (!canNotify() || Notification.permission !== 'granted') return
      const notification = new Notification(notice.title, {
        body: notice.body,
        tag: notice.id,
        ...(notice.icon !== undefined && { icon: notice.icon }),
      })
      visible.set(notice.id, notification)
      notification.addEventListener('close', () => visible.delete(notice.id))
      notification.addEventListener('click', () => {
        window.focus()
        notification.close()
        open()
      })
    },
    shown: () => [...visible.keys()],
    close: (ids) => {
      for (const id of ids ?? [...visible.keys()]) {
        visible.get(id)?.close()
        visible.delete(id)
      }
    },
  }
}
