import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { createThrottle, wait } from '#/renderer/lib/core/schedule'
import { changeSource, onCaughtUp, onIdsChange, onRowChange } from '#/renderer/lib/live'
import { refetch, STALE } from '#/renderer/lib/queries/query-client'
import { toCount } from '#/renderer/lib/server/checks/checked-values'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { isActive } from '../active-conversation-store'
import { UNREAD_KEY } from '../keys'
import { MESSAGE_COLUMNS, STORED_COLUMNS } from '../message'

const VIEW_COLUMNS =
  'member_id,conversation_id,folder,accepted,unread,undelivered,pinned_at,cleared_at,delivered_at,last_message_at,listed_at,is_group,reads_after,writes,sees_members,mark_at,mark_id,muted_until'

/** Live changes of the messages that the member sent or received, and of their reactions. New rows come without reactions. */
export const messageChanges = changeSource('messages', STORED_COLUMNS, (ids) =>
  unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).in('id', ids)),
)

/** Conversations that the member has moved on another device; the database sends the conversation's id. */
export const conversationViewChanges = changeSource('conversation_views', VIEW_COLUMNS, async (ids) => {
  const members = supabase().from('conversation_views').select(VIEW_COLUMNS)
  const rows = await unwrap(members.in('conversation_id', ids))
  return rows.map((row) => ({ ...row, id: row.conversation_id }))
})

/** Within this time a changed conversation is read, so that not all its members join its next channel at once, in milliseconds. */
const SPREAD_MS = 5_000

/** Waits for a random part of that time. */
export function spreadRead(): Promise<void> {
  return wait(Math.random() * SPREAD_MS)
}

export async function countUnreadConversations(): Promise<number> {
  return toCount(await unwrap(supabase().rpc('unread_conversations')))
}

/** The number of unread conversations: the server counts up to ten, more shows as '9+'. */
export function useUnreadConversationsCountQuery() {
  return useQuery({
    queryKey: UNREAD_KEY,
    queryFn: countUnreadConversations,
    staleTime: STALE.short,
  })
}

/** That number; 0 until it is known. */
export function useUnreadConversations(): number {
  return useUnreadConversationsCountQuery().data ?? 0
}

/** Refetches that number after live changes. Mount once. */
export function useLiveUnread(): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  useEffect(() => {
    const count = () => refetchUnread(client)
    const countSoon = createThrottle(count)
    const ignoreMessages = onRowChange('messages', ({ row }) => {
      if (row.sender_id === me || isActive(row.conversation_id)) return
      countSoon()
    })
    const ignoreMoves = onRowChange('conversation_views', ({ row }) => {
      // Nothing is unread, or was before: mostly a report that messages were delivered.
      const known = client.getQueryData<number>(UNREAD_KEY) ?? 0
      if (row.folder !== 'inbox' || row.unread || known > 0) countSoon()
    })
    const ignoreDeletions = onIdsChange('conversations', ({ type }) => {
      if (type === 'DELETE') countSoon()
    })
    const ignoreGaps = onCaughtUp(count)
    return () => {
      ignoreMessages()
      ignoreMoves()
      ignoreDeletions()
      ignoreGaps()
    }
  }, [client, me])
}

export function refetchUnread(client: QueryClient): void {
  void refetch(client, UNREAD_KEY)
}
