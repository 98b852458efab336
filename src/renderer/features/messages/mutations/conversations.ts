import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { AppError } from '#/renderer/lib/core/errors'
import { newId } from '#/renderer/lib/core/uuid'
import { refetch } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { conversationPath } from '../address'
import { conversationKeys } from '../keys'
import { bumpConversation } from '../list-order'

/** The conversation of two members, whichever of them started it. */
export async function findConversation(me: string, other: string): Promise<string | null> {
  const found = await unwrap(
    supabase()
      .from('conversations')
      .select('id')
      .in('participant_1', [me, other])
      .in('participant_2', [me, other])
      .maybeSingle(),
  )
  return found?.id ?? null
}

/**
 * Returns the id of the conversation with another member, and creates it if necessary. If both members create
 * it at the same time, the second finds the conversation of the first. Throws an `AppError`.
 */
export async function openConversation(me: string, otherId: string): Promise<string> {
  const existing = await findConversation(me, otherId)
  if (existing !== null) return existing
  const id = newId()
  try {
    await unwrap(supabase().from('conversations').insert({ id, participant_1: me, participant_2: otherId }))
    return id
  } catch (cause) {
    if (!(cause instanceof AppError && cause.code === 'conflict')) throw cause
    const others = await findConversation(me, otherId)
    if (others === null) throw cause
    return others
  }
}

/** Lists a conversation again if the member has archived it. Throws an `AppError`. */
function unarchive(me: string, conversationId: string) {
  return unwrap(
    supabase()
      .from('conversation_views')
      .update({ folder: 'inbox' })
      .eq('member_id', me)
      .eq('conversation_id', conversationId)
      .eq('folder', 'archived'),
  )
}

/** Opens the conversation with a member, on top of the list (MSG-02). */
export function useStartConversation() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id: me } = useMe()
  return useMutation({
    // The conversation that was asked for last opens last.
    scope: { id: 'open conversation' },
    mutationFn: async (otherId: string) => {
      const id = await openConversation(me, otherId)
      await unarchive(me, id)
      return id
    },
    onSuccess: (id) => {
      bumpConversation(client, id)
      void refetch(client, conversationKeys.all)
      navigate(conversationPath(id))
    },
    meta: { action: 'open conversation' },
  })
}
