import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { changeSource, onCaughtUp, onRowChange } from '#/renderer/lib/live'
import { refetch, STALE } from '#/renderer/lib/query-client'
import { createThrottle } from '#/renderer/lib/schedule'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { isAttended } from './attention'
import { MESSAGE_COLUMNS } from './message'

const UNREAD_KEY = ['unread conversations'] as const

/** Live changes of the messages that the member sent or received. */
export const messageChanges = changeSource('messages', (ids) =>
  unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).in('id', ids)),
)

export function countUnreadConversations() {
  return unwrap(supabase().rpc('unread_conversations'))
}

/** In how many conversations something is unread: the server counts up to ten, all above is '9+'. */
export function useUnreadConversations(): number {
  const { data = 0 } = useQuery({
    queryKey: UNREAD_KEY,
    queryFn: countUnreadConversations,
    staleTime: STALE.short,
  })
  return data
}

/** Keeps that number in step with what is told live. Once in the app. */
export function useLiveUnread(): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  useEffect(() => {
    const count = () => refreshUnread(client)
    const countSoon = createThrottle(count)
    const ignoreMessages = onRowChange('messages', ({ row }) => {
      if (row.recipient_id !== me || isAttended(row.conversation_id)) return
      countSoon()
    })
    const ignoreGaps = onCaughtUp(count)
    return () => {
      ignoreMessages()
      ignoreGaps()
    }
  }, [client, me])
}

/** Has the unread conversations counted anew. */
export function refreshUnread(client: QueryClient): void {
  void refetch(client, UNREAD_KEY)
}
