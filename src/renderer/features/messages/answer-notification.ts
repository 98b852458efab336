import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '#/renderer/lib/clock-store'
import { onCaughtUp } from '#/renderer/lib/live'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import type { NotificationAnswer } from '#/shared/bridge'
import { refreshConversations } from './conversation-list'
import { draftKey, isHere } from './drafts'
import { markConversationRead } from './mark-read'
import { sendMessage } from './send-draft'
import { refreshUnread } from './unread'

/** Sends a reply through the outbox, which makes it the conversation's draft when the server refuses it (MSG-04). */
async function reply(conversationId: string, content: string): Promise<void> {
  try {
    await sendMessage({ conversation_id: conversationId, content })
  } catch (cause) {
    logFailure('send reply of a notification', cause)
    // After signing out, the next member must not hear of it.
    if (isHere(draftKey(conversationId))) showToast({ text: texts.messages.replyNotSent })
  }
}

/** Marks as read all that came until now; once the connection is back if it cannot be done before. */
async function markRead(client: QueryClient, me: string, conversationId: string): Promise<void> {
  const until = new Date(serverNow()).toISOString()
  const mark = async () => {
    await markConversationRead(me, conversationId, until)
    refreshUnread(client)
    await refreshConversations(client)
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

/** Does what a member did in a notification of a message: a reply also means that the conversation was read. */
export async function answerNotification(
  client: QueryClient,
  me: string,
  { conversationId, reply: content }: NotificationAnswer,
): Promise<void> {
  await Promise.all([
    content === null ? undefined : reply(conversationId, content),
    markRead(client, me, conversationId),
  ])
}
