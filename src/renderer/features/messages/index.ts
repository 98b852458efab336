import { lazyScreen } from '#/renderer/lib/lazy-screen'
import type { MessageDraft } from './outbox'

export { openConversation } from './conversations'
export { MessagesLink } from './MessagesLink'
export { useStartConversation } from './useStartConversation'
export const MessagesScreen = lazyScreen(() => import('./MessagesScreen'), 'MessagesScreen')

/** Loads and opens a member's outbox; see `outbox`. Gives what closes it. */
export async function startOutbox(me: string, server: string): Promise<() => void> {
  return (await import('./outbox')).startOutbox(me, server)
}
export { useUnreadConversations } from './unread'

/** Sends a message from elsewhere in the app, or keeps it until the connection is back; see `Outbox.submit`. */
export async function sendMessage(draft: MessageDraft): Promise<'sent' | 'waiting'> {
  return (await import('./outbox')).sendMessage(draft)
}
