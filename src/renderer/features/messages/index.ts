import { lazyScreen } from '#/renderer/lib/lazy-screen'

export { conversationPath } from './address'
export { openConversation } from './conversations'
export { useStartConversation } from './useStartConversation'
export const MessagesScreen = lazyScreen(() => import('./MessagesScreen'), 'MessagesScreen')
