import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { onCaughtUp } from '#/renderer/lib/live'
import { texts } from '#/renderer/lib/texts'
import type { NotificationAnswer } from '#/shared/bridge'
import { draftKey, isOwnKey } from './drafts-store'
import { markConversationRead } from './mutations/messages'
import { sendMessage } from './mutations/send'
import { refetchConversations } from './queries/conversations'
import { refetchUnread } from './queries/live'

/**
 * Sends a reply through the outbox. If the server refuses it, it becomes the draft of the conversation
 * (MSG-04).
 */
async function reply(conversationId: string, content: string): Promise<void> {
  try {
    await sendMessage({ conversation_id: conversationId, content })
  } catch (cause) {
    logFailure('send reply of a notification', cause)
    // After a sign-out, do not notify the next member.
    if (isOwnKey(draftKey(conversationId))) showToast({ text: texts.messages.replyNotSent })
  }
}

/** Marks messages up to this one as read; after a failure once more when the connection returns. */
async function markRead(
  client: QueryClient,
  conversationId: string,
  // A time only: messages that were received until then.
  until: NonNullable<NotificationAnswer['until']> | { created_at: string },
): Promise<void> {
  const mark = async () => {
    await markConversationRead(conversationId, until)
    refetchUnread(client)
    await refetchConversations(client)
  }
  try {
    await mark()
  } catch (cause) {
    logFailure('mark messages as read', cause)
    const ignore = onCaughtUp(() => {
      ignore()
      mark().catch((again: unknown) => logFailure('mark messages as read', again))
    })
  }
}

/**
 * Handles the reply or action of a message notification. A reply also marks the conversation as read. A notification of an
 * earlier run may be for another member, or of another server, which nothing of it may reach.
 * @param me `Notice.owner` of the signed-in member
 */
export async function answerNotification(
  client: QueryClient,
  { conversationId, reply: content, until, owner }: NotificationAnswer,
  me: string | undefined,
): Promise<void> {
  if (owner === null || owner !== me) {
    if (content !== null) showToast({ text: texts.messages.replyOfOther })
    return
  }
  await Promise.all([
    content === null ? undefined : reply(conversationId, content),
    markRead(client, conversationId, until ?? { created_at: new Date(serverNow()).toISOString() }),
  ])
}
