import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { onCaughtUp } from '#/renderer/lib/live'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'
import { showAsRead } from './conversation-list'
import { type History, isUnreadBy, withRead } from './history'
import { changeHistory } from './history-query'
import { refreshUnread } from './unread'

/**
 * Marks all that the other wrote as read, with one update, as long as somebody looks (MSG-05). After a failure it is
 * tried again with the next news of the conversation, and when the connection is back.
 */
export function useMarkRead(conversationId: string, history: History | undefined, isLooking: boolean): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { mutate } = useMutation({
    mutationFn: (_ids: ReadonlySet<string>) =>
      answer(
        supabase()
          .from('messages')
          .update({ read: true })
          .eq('conversation_id', conversationId)
          .eq('recipient_id', me)
          .eq('read', false),
      ),
    // Those one knew of: what came in since may have missed the update.
    onSuccess: (_answer, ids) => {
      changeHistory(client, conversationId, (current) => withRead(current, ids))
      showAsRead(client, conversationId)
      refreshUnread(client)
    },
    onError: (cause) => logFailure('mark messages as read', cause),
  })
  useEffect(() => {
    if (!isLooking || history === undefined) return
    const unread = history.messages.filter((message) => isUnreadBy(message, me))
    if (unread.length === 0) return
    const mark = () => mutate(new Set(unread.map(({ id }) => id)))
    mark()
    return onCaughtUp(mark)
  }, [isLooking, history, me, mutate])
}
