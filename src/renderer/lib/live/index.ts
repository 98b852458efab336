export { tellActivity } from './activity'
export { retryDelay } from './backoff'
export { byTime } from './by-time'
export { connection, useConnection } from './connection'
export {
  emitMessageEvent,
  isCompleteMessage,
  MESSAGE_COLUMNS,
  type MessageRow,
  type MessageUpdate,
  type NotificationRow,
  onCaughtUp,
  onMessageEvent,
  onNotificationEvent,
} from './events'
export { retryNow, startLive } from './live'
export { useConversationChannel } from './useConversationChannel'
