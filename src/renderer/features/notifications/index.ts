export { NotificationBell } from './components/NotificationBell'
export { notificationChanges, useUnreadCount } from './queries'
export { useSystemNotifications } from './system/useSystemNotifications'
