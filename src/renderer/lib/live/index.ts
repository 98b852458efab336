export { tellActivity } from './activity'
export { type Connection, connection, useConnection } from './connection'
export {
  emitMessageEvent,
  MESSAGE_COLUMNS,
  type MessageEvent,
  type MessageRow,
  type NotificationRow,
  onCaughtUp,
  onMessageEvent,
  onNotificationEvent,
} from './events'
export { retryNow, startLive } from './live'
export { byTime } from './merge'
export { type ConversationChannel, useConversationChannel } from './useConversationChannel'
