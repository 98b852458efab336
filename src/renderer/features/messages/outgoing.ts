import { useMemo } from 'react'
import { useMe } from '#/renderer/features/auth'
import { type MessageRow as Message, useConnection } from '#/renderer/lib/live'
import { useOutbox } from './outbox'
import { type NewMessage, useSending } from './sending'
import type { Delivery } from './timeline'

/** How a message that is not on the server yet will look there. */
function toMessage({ reply_to_id, photo, ...message }: NewMessage, me: string): Message {
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    content: message.content,
    created_at: message.created_at,
    reply_to_id: reply_to_id ?? null,
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

/** One of one's own messages that is not on the server yet. */
export interface Outgoing {
  message: Message
  delivery: Delivery
  /** Why the server refused it, in its words; may be empty. */
  reason: string
}

/** One's own messages of a conversation that are not on the server yet, in the order they were sent. */
export function useOutgoing(conversationId: string): Outgoing[] {
  const { id: me } = useMe()
  const sending = useSending(conversationId)
  const kept = useOutbox(conversationId)
  const isOnline = useConnection().state === 'online'
  return useMemo(() => {
    const known = new Set(kept.map(({ id }) => id))
    return [
      ...kept.map((message) => ({
        message: toMessage(message, me),
        delivery: message.state === 'waiting' && isOnline ? ('retrying' as const) : message.state,
        reason: message.reason ?? '',
      })),
      // Those that wait for the one before them.
      ...sending
        .filter(({ id }) => !known.has(id))
        .map((message) => ({ message: toMessage(message, me), delivery: 'sending' as const, reason: '' })),
    ]
  }, [sending, kept, isOnline, me])
}
