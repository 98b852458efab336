import type { QueryClient } from '@tanstack/react-query'
import { lazyScreen } from '#/renderer/components/lazy-screen'
import { isSignedOut } from '#/renderer/features/auth'
import { beginOpening, cancelOpening, failOpening } from '#/renderer/lib/outbox/opening'
import type { NotificationAnswer } from '#/shared/bridge'
import type { NewMessage } from './new-message'

export { openConversation } from './conversations'
export { MessagesLink } from './MessagesLink'
export { StoryLinkContext } from './story-link'
export { useStartConversation } from './useStartConversation'
export const MessagesScreen = lazyScreen(() => import('./MessagesScreen'), 'MessagesScreen')

/** What is loaded once the page has had a quiet moment. */
function loadUnsent() {
  return Promise.all([
    import('#/renderer/lib/outbox/active'),
    import('./drafts'),
    import('./draft-attachments'),
    import('./send-message'),
  ])
}

/** Nobody waits any longer for an outbox that was not opened. */
export { cancelOpening as cancelOutbox }

/**
 * Loads and opens a member's outbox and what they began to write; see `outbox`. Gives what closes both; rejects when it
 * cannot be loaded, as does then what is sent meanwhile.
 */
export async function startOutbox(client: QueryClient, me: string, server: string): Promise<() => void> {
  beginOpening()
  const [outbox, drafts, extras, { messageKind }] = await loadUnsent().catch((cause: unknown) => {
    failOpening(cause)
    throw cause
  })
  drafts.openDrafts(me)
  const stop = outbox.startOutbox(client, { me, server }, [messageKind])
  return () => {
    const place = drafts.closeDrafts(me)
    // A begun text waits for its writer; a photo does not stay on a computer that others use.
    if (place !== null && isSignedOut()) void extras.forgetDraftAttachments(place)
    stop()
  }
}

/** Removes from this computer all that a member wrote and did not send: their account on this server is gone. */
export async function forgetUnsent(me: string, server: string): Promise<void> {
  const [outbox, drafts, extras] = await loadUnsent()
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
