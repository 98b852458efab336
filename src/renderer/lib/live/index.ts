export { tellActivity } from './activity'
export { connection, useConnection } from './connection'
export {
  emitMessageEvent,
  MESSAGE_COLUMNS,
  type MessageRow,
  type NotificationRow,
  onCaughtUp,
  onMessageEvent,
  onNotificationEvent,
} from './events'
export { retryNow, startLive } from './live'
export { byTime } from './merge'
export { useConversationChannel } from './useConversationChannel'
