import { logIfFails } from '#/renderer/lib/logger'
import type { Notice } from '#/shared/bridge'

/** Whether this browser has notifications, allowed or not. */
export function canNotify(): boolean {
  return 'Notification' in window
}

/** Asks the member, as browsers do, unless they answered before. */
export function askForNotifications(): void {
  if (!canNotify() || Notification.permission !== 'default') return
  logIfFails('ask for notifications', Notification.requestPermission())
}

const shown = new Map<string, Notification>()

/** The ids of what is shown. */
export function shownInBrowser(): string[] {
  return [...shown.keys()]
}

/** Closes these; all for null. */
export function closeInBrowser(ids: readonly string[] | null): void {
  for (const id of ids ?? shownInBrowser()) {
    shown.get(id)?.close()
    shown.delete(id)
  }
}

/** Shows it if the member allowed it; the browser replaces one of the same id. */
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
