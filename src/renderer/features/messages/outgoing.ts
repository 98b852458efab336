import { useMemo } from 'react'
import { useMe } from '#/renderer/features/auth'
import type { Message } from './message'
import { type NewMessage, useSending } from './sending'
import type { Delivery } from './timeline'

/** How a message that is not on the server yet will look there. */
function toMessage({ id, conversation_id, content, created_at }: NewMessage, me: string): Message {
  return {
    id,
    conversation_id,
    content,
    created_at,
    sender_id: me,
    recipient_id: '',
    read: false,
    read_at: null,
    deleted_at: null,
    reply_to_id: null,
    photo_id: null,
    thumbnail_url: null,
    image_width: null,
    image_height: null,
    story_id: null,
    answers_story: false,
    sender_reaction: null,
    recipient_reaction: null,
  }
}

/** One's own messages of a conversation that are not on the server yet, in the order they were sent. */
export function useOutgoing(conversationId: string): { message: Message; delivery: Delivery }[] {
  const { id: me } = useMe()
  const sending = useSending(conversationId)
  return useMemo(
    () => sending.map((message) => ({ message: toMessage(message, me), delivery: 'sending' as const })),
    [sending, me],
  )
}
