export { NotificationBell } from './components/NotificationBell'
export { useUnreadCount } from './queries'
export { useSystemNotifications } from './system/useSystemNotifications'
