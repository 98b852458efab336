import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { onCaughtUp } from '#/renderer/lib/live'
import { showAsRead } from './conversation-list'
import { type History, isUnreadBy, withRead } from './history'
import { changeHistory } from './history-query'
import { markConversationRead } from './mark-read'
import type { Message } from './message'
import { refreshUnread } from './unread'

interface Unread {
  /** Those one knows of; further up there may be more. */
  ids: ReadonlySet<string>
  newest: Message
}

/**
 * Marks all that the other wrote as read, with one update, as long as somebody looks (MSG-05). What they write while
 * it is on its way, when nobody may look any more, is left to the next one. After a failure it is tried again with the
 * next news of the conversation, and when the connection is back.
 */
export function useMarkRead(conversationId: string, history: History | undefined, isLooking: boolean): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { mutate } = useMutation({
    mutationFn: ({ newest }: Unread) => markConversationRead(me, conversationId, newest.created_at),
    onSuccess: (_answer, { ids, newest }) => {
      changeHistory(client, conversationId, (current) => withRead(current, ids))
      showAsRead(client, newest)
      refreshUnread(client)
    },
    meta: { action: 'mark messages as read' },
  })
  useEffect(() => {
    if (!isLooking || history === undefined) return
    const unread = history.messages.filter((message) => isUnreadBy(message, me))
    const newest = unread.at(-1)
    if (newest === undefined) return
    const mark = () => mutate({ ids: new Set(unread.map(({ id }) => id)), newest })
    mark()
    return onCaughtUp(mark)
  }, [isLooking, history, me, mutate])
}
