export { ShareButton } from './components/ShareButton'
export {
  answerNotification,
  forgetUnsent,
  loadMessageDrafts,
  loadMessageKind,
  MessagesScreen,
  replyToStory,
} from './lazy'
export { MessagesLink } from './MessagesLink'
export { reportActivity } from './mutations/activity'
export { useStartConversation } from './mutations/conversations'
export { conversationMemberChanges, messageChanges, useUnreadConversations } from './queries/live'
export { StoryLinkContext } from './story-link'
