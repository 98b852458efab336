import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'
import { showAsRead } from './conversation-list'
import { allRead } from './history'
import { changeHistory } from './history-query'
import { refreshUnread } from './unread'

/** Marks all that the other wrote as read, with one update, whenever some of it is not and somebody looks (MSG-05). */
export function useMarkRead(conversationId: string, hasUnread: boolean): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      answer(
        supabase()
          .from('messages')
          .update({ read: true })
          .eq('conversation_id', conversationId)
          .eq('recipient_id', me)
          .eq('read', false),
      ),
    onSuccess: () => {
      changeHistory(client, conversationId, (history) => allRead(history, me))
      showAsRead(client, conversationId)
      refreshUnread(client)
    },
    onError: (cause) => logFailure('mark messages as read', cause),
  })
  useEffect(() => {
    if (hasUnread && !isPending) mutate()
  }, [hasUnread, isPending, mutate])
}
