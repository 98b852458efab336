import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { conversationPath } from './address'
import { raiseConversation, refreshConversations } from './conversation-list'
import { openConversation } from './conversations'

/** Opens the conversation with a member, by their id, on top of the list (MSG-02). A failure is only logged. */
export function useStartConversation() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: (otherId: string) => openConversation(me, otherId),
    onSuccess: (id) => {
      raiseConversation(client, id)
      void refreshConversations(client)
      navigate(conversationPath(id))
    },
    meta: { action: 'open conversation' },
  })
}
