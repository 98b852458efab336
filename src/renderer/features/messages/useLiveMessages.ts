import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { onCaughtUp, onRowChange } from '#/renderer/lib/live'
import { hearInList, refreshConversations } from './conversation-list'
import { hearMessage, refreshHistories } from './history-query'

/** Keeps the list and the conversations that were read in step with what is told live (MSG-05, MSG-08). */
export function useLiveMessages(): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  useEffect(() => {
    const ignoreMessages = onRowChange('messages', ({ row }) => {
      hearMessage(client, row)
      hearInList(client, row, me)
    })
    const ignoreGaps = onCaughtUp(() => {
      void refreshConversations(client)
      refreshHistories(client)
    })
    return () => {
      ignoreMessages()
      ignoreGaps()
    }
  }, [client, me])
}
