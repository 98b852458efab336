import { logIfFails } from '#/renderer/lib/logger'
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

const shown = new Map<string, Notification>()

/** The ids of the visible notifications. */
export function shownInBrowser(): string[] {
  return [...shown.keys()]
}

/** Closes notifications by id; all for null. */
export function closeInBrowser(ids: readonly string[] | null): void {
  for (const id of ids ?? shownInBrowser()) {
    shown.get(id)?.close()
    shown.delete(id)
  }
}

/** Shows a notification if permitted. The browser replaces one with the same id. */
export function showInBrowser(notice: Notice, open: () => void): void {
  if (!canNotify() || Notification.permission !== 'granted') return
  const notification = new Notification(notice.title, {
    body: notice.body,
    tag: notice.id,
    ...(notice.icon !== undefined && { icon: notice.icon }),
  })
  shown.set(notice.id, notification)
  notification.addEventListener('close', () => shown.delete(notice.id))
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    open()
  })
}
