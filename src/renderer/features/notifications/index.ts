export { NotificationBell } from './NotificationBell'
export { useUnreadCount } from './queries'
