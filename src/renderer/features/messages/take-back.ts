import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { hearInList } from './conversation-list'
import { hearMessage } from './history-query'
import { MESSAGE_COLUMNS } from './message'

/** Takes one's own message back, by its id: all that it held goes for good. A failure is only logged. */
export function useTakeBackMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(
        supabase()
          .from('messages')
          .update({ deleted_at: new Date().toISOString() })
          .eq('id', id)
          .select(MESSAGE_COLUMNS)
          .single(),
      ),
    onSuccess: (message) => {
      hearMessage(client, message)
      hearInList(client, message, me)
    },
    meta: { action: 'take message back' },
  })
}
