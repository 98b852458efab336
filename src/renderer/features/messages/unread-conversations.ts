import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onCaughtUp, onMessageEvent } from '#/renderer/lib/live'
import { STALE } from '#/renderer/lib/query-client'
import { answer, supabase } from '#/renderer/lib/supabase'

const UNREAD_KEY = ['conversations', 'unread'] as const

/** In how many conversations something is unread: the server counts up to ten. Asked anew whenever messages change. */
export function useUnreadConversations(): number {
  const client = useQueryClient()
  useEffect(() => {
    const ask = () => void client.invalidateQueries({ queryKey: UNREAD_KEY })
    const stops = [onMessageEvent(ask), onCaughtUp(ask)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
  const { data = 0 } = useQuery({
    queryKey: UNREAD_KEY,
    queryFn: () => answer(supabase().rpc('unread_conversations')),
    staleTime: STALE.short,
  })
  return data
}
