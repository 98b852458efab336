export { reportActivity } from './activity'
export { retryDelay } from './backoff'
export { byTime } from './by-time'
export { connection, onReconnected, useConnection } from './connection'
export {
  emitMessageEvent,
  MESSAGE_COLUMNS,
  type MessageRow,
  NOTIFICATION_COLUMNS,
  type NotificationRow,
  onCaughtUp,
  onMessageEvent,
  onNotificationEvent,
} from './events'
export { checkConnection, handleSocketClosed, retryNow, startLive } from './live'
export { useConversationChannel } from './useConversationChannel'
