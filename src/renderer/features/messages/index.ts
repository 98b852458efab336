import { lazyScreen } from '#/renderer/lib/lazy-screen'
import type { MessageDraft } from './outbox'

export { openConversation } from './conversations'
export { MessagesLink } from './MessagesLink'
export { useStartConversation } from './useStartConversation'
export const MessagesScreen = lazyScreen(() => import('./MessagesScreen'), 'MessagesScreen')

/** Loads and opens a member's outbox and what they began to write; see `outbox`. Gives what closes both. */
export async function startOutbox(me: string, server: string): Promise<() => void> {
  const [outbox, drafts] = await Promise.all([import('./outbox'), import('./drafts')])
  drafts.openDrafts(me)
  const stop = outbox.startOutbox(me, server)
  return () => {
    drafts.closeDrafts(me)
    stop()
  }
}
export { useUnreadConversations } from './unread'

/** Sends a message from elsewhere in the app, or keeps it until the connection is back; see `Outbox.submit`. */
export async function sendMessage(draft: MessageDraft): Promise<'sent' | 'waiting'> {
  return (await import('./outbox')).sendMessage(draft)
}
