import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { changeSource, onCaughtUp, onRowChange } from '#/renderer/lib/live'
import { refetch, STALE } from '#/renderer/lib/query-client'
import { createThrottle } from '#/renderer/lib/schedule'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { isActive } from '../active-conversation-store'
import { UNREAD_KEY } from '../keys'
import { MESSAGE_COLUMNS } from '../message'

/** Live changes of the messages that the member sent or received. */
export const messageChanges = changeSource('messages', (ids) =>
  unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).in('id', ids)),
)

export function countUnreadConversations() {
  return unwrap(supabase().rpc('unread_conversations'))
}

/** The number of unread conversations: the server counts up to ten, more shows as '9+'. */
export function useUnreadConversations(): number {
  const { data = 0 } = useQuery({
    queryKey: UNREAD_KEY,
    queryFn: countUnreadConversations,
    staleTime: STALE.short,
  })
  return data
}

/** Refetches that number after live changes. Mount once. */
export function useLiveUnread(): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  useEffect(() => {
    const count = () => refetchUnread(client)
    const countSoon = createThrottle(count)
    const ignoreMessages = onRowChange('messages', ({ row }) => {
      if (row.recipient_id !== me || isActive(row.conversation_id)) return
      countSoon()
    })
    const ignoreGaps = onCaughtUp(count)
    return () => {
      ignoreMessages()
      ignoreGaps()
    }
  }, [client, me])
}

export function refetchUnread(client: QueryClient): void {
  void refetch(client, UNREAD_KEY)
}
