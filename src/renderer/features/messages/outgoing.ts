import { useMemo } from 'react'
import { useMe } from '#/renderer/features/auth'
import { toServerTime } from '#/renderer/lib/core/clock-store'
import { useConnection } from '#/renderer/lib/live'
import type { PreparedPicture } from '#/renderer/lib/media'
import { type OutboxRow, usePending } from '#/renderer/lib/outbox'
import type { Message, NewMessage } from './message'
import { sharedColumns } from './model/shared'
import type { Delivery } from './model/timeline'
import { messageKind, messageScope } from './mutations/send'

/** Shows a pending message like a stored one. */
function toMessage({ id, createdAt, payload }: OutboxRow<NewMessage>, me: string): Message {
  const { conversation_id, content, reply_to_id, photo, shared, forwarded } = payload
  return {
    id,
    conversation_id,
    content,
    created_at: createdAt,
    reply_to_id: reply_to_id ?? null,
    media_id: photo?.id ?? null,
    thumbnail_url: null,
    thumbhash: null,
    image_width: photo?.picture.width ?? null,
    image_height: photo?.picture.height ?? null,
    sender_id: me,
    read: false,
    read_at: null,
    deleted_at: null,
    edited_at: null,
    forwarded: forwarded ?? false,
    story_id: null,
    answers_story: false,
    ...sharedColumns(shared),
    reactions: [],
  }
}

/** The picture of a pending message; null for other messages. */
export function useOutgoingPicture(messageId: string): PreparedPicture | null {
  const rows = usePending<NewMessage>(messageKind.name)
  return rows.find(({ id }) => id === messageId)?.payload.photo?.picture ?? null
}

export interface Outgoing {
  message: Message
  delivery: Delivery
  /** The server's own message about the refusal; may be empty. */
  reason: string
}

/** The member's pending messages of a conversation, in the order they were sent. */
export function useOutgoing(conversationId: string): Outgoing[] {
  const { id: me } = useMe()
  const rows = usePending<NewMessage>(messageKind.name, messageScope(conversationId))
  const isOnline = useConnection().state === 'online'
  return useMemo(
    () =>
      rows.map((row) => ({
        message: toMessage(row, me),
        delivery: row.state === 'waiting' && isOnline ? ('retrying' as const) : row.state,
        reason: row.reason ?? '',
      })),
    [rows, isOnline, me],
  )
}

/** The time of the last pending message of each conversation, by the server's clock. */
export function useUnsentTimes(): Readonly<Record<string, string>> {
  const rows = usePending<NewMessage>(messageKind.name)
  return useMemo(
    () =>
      Object.fromEntries(
        rows.map(({ payload, createdAt }) => [payload.conversation_id, toServerTime(createdAt)]),
      ),
    [rows],
  )
}
