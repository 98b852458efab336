import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import type { REACTIONS } from '#/shared/limits'
import { hearMessage } from './history-query'
import { MESSAGE_COLUMNS, type Message } from './message'

/** One of the six emojis that a message can be reacted with. */
export type Reaction = (typeof REACTIONS)[number]

const reactionKey = (messageId: string) => ['react', messageId] as const

/** A member's reaction as the server has it; null for none. */
export function reactionOf(message: Message, memberId: string): string | null {
  return message.sender_id === memberId ? message.sender_reaction : message.recipient_reaction
}

/** Reacts to a message, or takes that back: on screen at once, back if the server refuses. */
export function useReactMutation(message: Message) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationKey: reactionKey(message.id),
    // One after the other: the last press wins.
    scope: { id: `react ${message.id}` },
    mutationFn: (reaction: Reaction | null) =>
      unwrap(
        supabase()
          .from('messages')
          .update(message.sender_id === me ? { sender_reaction: reaction } : { recipient_reaction: reaction })
          .eq('id', message.id)
          .select(MESSAGE_COLUMNS)
          .single(),
      ),
    onSuccess: (changed) => hearMessage(client, changed),
    meta: { action: 'react to message' },
  })
}

/** One's own reaction as it shows: what is being told to the server counts already. */
export function useOwnReaction(message: Message): string | null {
  const { id: me } = useMe()
  const pending = useMutationState<string | null>({
    filters: { mutationKey: reactionKey(message.id), status: 'pending' },
    select: ({ state }) => (typeof state.variables === 'string' ? state.variables : null),
  })
  const latest = pending.at(-1)
  return latest === undefined ? reactionOf(message, me) : latest
}
