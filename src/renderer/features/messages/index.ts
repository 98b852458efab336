import type { QueryClient } from '@tanstack/react-query'
import { lazyScreen } from '#/renderer/components/lazy-screen'
import { isSignedOut } from '#/renderer/features/auth'
import type { NotificationAnswer } from '#/shared/bridge'
import type { NewMessage } from './new-message'

export { openConversation } from './conversations'
export { MessagesLink } from './MessagesLink'
export { StoryLinkContext } from './story-link'
export { useStartConversation } from './useStartConversation'
export const MessagesScreen = lazyScreen(() => import('./MessagesScreen'), 'MessagesScreen')

/** Loads the function that opens the drafts of a member, and returns a function that closes them. */
export async function loadMessageDrafts(): Promise<(me: string) => () => void> {
  const [drafts, attachments] = await Promise.all([import('./drafts'), import('./draft-attachments')])
  return (me) => {
    drafts.openDrafts(me)
    return () => {
      const place = drafts.closeDrafts(me)
      // Draft texts stay for their writer; a photo does not stay on a computer that others use.
      if (place !== null && isSignedOut()) void attachments.forgetDraftAttachments(place)
    }
  }
}

/** Loads how the outbox sends messages. */
export async function loadMessageKind() {
  return (await import('./send-message')).messageKind
}

/** Removes from this computer all that a member wrote and did not send: their account on this server is gone. */
export async function forgetUnsent(me: string, server: string): Promise<void> {
  const [outbox, drafts, extras] = await Promise.all([
    import('#/renderer/lib/outbox/active'),
    import('./drafts'),
    import('./draft-attachments'),
  ])
  await Promise.all([outbox.clearOutbox(me, server), extras.forgetDraftAttachments(drafts.forgetDrafts(me))])
}
export { useUnreadConversations } from './unread'

/** Does what a member did in a notification of a message; see `answerNotification`. */
export async function answerNotification(
  client: QueryClient,
  me: string,
  answer: NotificationAnswer,
): Promise<void> {
  await (await import('./answer-notification')).answerNotification(client, me, answer)
}

/** Sends a message from elsewhere in the app, or keeps it until the connection is back; see `Outbox.submit`. */
export async function sendMessage(message: NewMessage, id: string): Promise<'sent' | 'waiting'> {
  return (await import('./send-draft')).sendMessage(message, id)
}
