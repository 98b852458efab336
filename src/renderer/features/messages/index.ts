export { UnreadConversations } from './components/UnreadConversations'
export { isOfDeletedConversation } from './deleted'
export {
  answerNotification,
  followGroups,
  forgetUnsent,
  hasUnsent,
  loadMessageDrafts,
  MessagesScreen,
  removeOldMessageDrafts,
  replyToStory,
  ShareDialog,
} from './lazy'
export { MessagesLink } from './MessagesLink'
export { reportActivity } from './mutations/activity'
export { useStartConversation } from './mutations/conversations'
export { reportDelivery } from './mutations/delivery'
export { messageKind } from './mutations/send'
export { useLatestUnread } from './queries/conversations'
export { conversationViewChanges, messageChanges, useUnreadConversations } from './queries/live'
