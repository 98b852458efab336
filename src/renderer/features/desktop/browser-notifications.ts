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

/** Shows it if the member allowed it; the browser replaces one of the same id. */
export function showInBrowser(notice: Notice, open: () => void): void {
  if (!canNotify() || Notification.permission !== 'granted') return
  const notification = new Notification(notice.title, { body: notice.body, tag: notice.id })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    open()
  })
}
