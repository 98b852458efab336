import { useMemo } from 'react'
import { useMe } from '#/renderer/features/auth'
import type { Message } from './message'
import { type NewMessage, useSending } from './sending'
import type { Delivery } from './timeline'

/** How a message that is not on the server yet will look there. */
function toMessage({ reply_to_id = null, photo, ...message }: NewMessage, me: string): Message {
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    content: message.content,
    created_at: message.created_at,
    reply_to_id: reply_to_id,
    photo_id: photo?.id ?? null,
    thumbnail_url: photo?.thumbnail_url ?? null,
    image_width: photo?.image_width ?? null,
    image_height: photo?.image_height ?? null,
    sender_id: me,
    recipient_id: '',
    read: false,
    read_at: null,
    deleted_at: null,
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
