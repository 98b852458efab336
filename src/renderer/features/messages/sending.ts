import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'
import { hearInList } from './conversation-list'
import { getDraftExtras, type OutgoingPhoto, setDraftExtras } from './draft-extras'
import { holdText, joinTexts, restoreText } from './drafts'
import { hearMessage } from './history-query'
import { MESSAGE_COLUMNS, type Message } from './message'

/** A message as it leaves the field. */
export interface NewMessage {
  id: string
  conversation_id: string
  content: string
  created_at: string
  reply_to_id?: string
  photo?: OutgoingPhoto
}

type Sending = Readonly<Record<string, readonly NewMessage[]>>

/** What has no answer yet, by conversation, in the order it was sent. */
const useSendingStore = create<Sending>(() => ({}))

const NONE: readonly NewMessage[] = []

/** Messages of a conversation that have no answer yet. */
export function useSending(conversationId: string): readonly NewMessage[] {
  return useSendingStore((state) => state[conversationId] ?? NONE)
}

function textOf(queue: readonly NewMessage[]): string {
  return joinTexts(...queue.map(({ content }) => content))
}

function setQueue(conversationId: string, queue: readonly NewMessage[]): void {
  useSendingStore.setState({ [conversationId]: queue })
  holdText(conversationId, textOf(queue))
}

/** Puts what could not be sent back into the field, in its order, before what was typed since. */
function restore(conversationId: string, queue: readonly NewMessage[]): void {
  restoreText(conversationId, textOf(queue))
  const { replyToId, photo } = getDraftExtras(conversationId)
  const answered = queue[0]?.reply_to_id
  const lost = queue.find((message) => message.photo !== undefined)?.photo
  setDraftExtras(conversationId, {
    replyToId: answered ?? replyToId,
    photo: lost === undefined ? photo : { state: 'ready', photo: lost },
  })
}

async function deliver(client: QueryClient, me: string, message: NewMessage): Promise<void> {
  const { id, conversation_id, content, reply_to_id, photo } = message
  if (photo !== undefined) {
    const row = { id: photo.id, sender_id: me, conversation_id, image_url: photo.image_url }
    await answer(supabase().from('message_photos').upsert(row, { ignoreDuplicates: true }))
  }
  await answer(
    supabase()
      .from('messages')
      .upsert(
        {
          id,
          conversation_id,
          sender_id: me,
          content,
          ...(reply_to_id !== undefined && { reply_to_id }),
          ...(photo !== undefined && {
            photo_id: photo.id,
            thumbnail_url: photo.thumbnail_url,
            image_width: photo.image_width,
            image_height: photo.image_height,
          }),
        },
        { ignoreDuplicates: true },
      ),
  )
  const stored: Message | null = await answer(
    supabase().from('messages').select(MESSAGE_COLUMNS).eq('id', id).maybeSingle(),
  )
  if (stored === null) return
  hearMessage(client, stored)
  hearInList(client, stored, me)
}

/**
 * Sends a message, after those sent before it. When it cannot be sent, it and what waits behind it go back into the
 * field (MSG-04).
 */
export async function send(client: QueryClient, me: string, message: NewMessage): Promise<void> {
  const { conversation_id: id } = message
  const queue = () => useSendingStore.getState()[id] ?? NONE
  const isRunning = queue().length > 0
  setQueue(id, [...queue(), message])
  if (isRunning) return
  for (let next = queue()[0]; next !== undefined; next = queue()[0]) {
    try {
      await deliver(client, me, next)
      setQueue(id, queue().slice(1))
    } catch (cause) {
      logFailure('send message', cause)
      restore(id, queue())
      setQueue(id, NONE)
    }
  }
}
