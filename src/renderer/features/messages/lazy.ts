import type { QueryClient } from '@tanstack/react-query'
import { lazyScreen } from '#/renderer/components/lazy-screen'
import { isSignedOut } from '#/renderer/features/auth'
import type { NotificationAnswer } from '#/shared/bridge'
import { openConversation } from './mutations/conversations'

export const MessagesScreen = lazyScreen(() => import('./MessagesScreen'), 'MessagesScreen')

/** Loads the function that opens the drafts of a member, and returns a function that closes them. */
export async function loadMessageDrafts(): Promise<(me: string) => () => void> {
  const [drafts, attachments] = await Promise.all([
    import('./drafts-store'),
    import('./draft-attachments-store'),
  ])
  return (me) => {
    drafts.openDrafts(me)
    return () => {
      const keyPrefix = drafts.closeDrafts(me)
      // Draft texts stay for their writer; photos do not stay on a shared computer.
      if (keyPrefix !== null && isSignedOut()) void attachments.removeMemberAttachments(keyPrefix)
    }
  }
}

/** Removes the unsent messages and drafts of a member whose account was deleted from this device. */
export async function forgetUnsent(me: string, server: string): Promise<void> {
  const [outbox, drafts, extras] = await Promise.all([
    import('#/renderer/lib/outbox/active'),
    import('./drafts-store'),
    import('./draft-attachments-store'),
  ])
  await Promise.all([outbox.clearOutbox(me, server), extras.removeMemberAttachments(drafts.forgetDrafts(me))])
}

/** Handles the reply or action of a notification; see `answerNotification`. */
export async function answerNotification(
  client: QueryClient,
  me: string,
  answer: NotificationAnswer,
): Promise<void> {
  await (await import('./answer-notification')).answerNotification(client, me, answer)
}

interface StoryReply {
  /** With the same id a repeated send is one message. */
  id: string
  storyId: string
  ownerId: string
  text: string
}

/** Sends a reply to a story as a message, or queues it while the connection is lost. */
export async function replyToStory(
  me: string,
  { id, storyId, ownerId, text }: StoryReply,
): Promise<'sent' | 'waiting'> {
  const [conversation_id, { sendMessage }] = await Promise.all([
    openConversation(me, ownerId),
    import('./mutations/send'),
  ])
  return sendMessage({ conversation_id, content: text, story_id: storyId }, id)
}
