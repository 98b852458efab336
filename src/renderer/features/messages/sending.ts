import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'
import { hearInList } from './conversation-list'
import { holdText, joinTexts, restoreText } from './drafts'
import { hearMessage } from './history-query'
import { MESSAGE_COLUMNS, type Message } from './message'

/** What one sends: the columns that are one's own to set. */
export interface NewMessage {
  id: string
  conversation_id: string
  content: string
  created_at: string
}

type Sending = Readonly<Record<string, readonly NewMessage[]>>

/** What is on its way, by conversation, in the order it was sent. */
const useSendingStore = create<Sending>(() => ({}))

const NONE: readonly NewMessage[] = []

/** Messages of a conversation that have no answer yet. */
export function useSending(conversationId: string): readonly NewMessage[] {
  return useSendingStore((state) => state[conversationId] ?? NONE)
}

function setQueue(conversationId: string, queue: readonly NewMessage[]): void {
  useSendingStore.setState({ [conversationId]: queue })
  holdText(conversationId, joinTexts(...queue.map(({ content }) => content)))
}

async function deliver(client: QueryClient, me: string, message: NewMessage): Promise<void> {
  const { id, conversation_id, content } = message
  await answer(
    supabase()
      .from('messages')
      .upsert({ id, conversation_id, sender_id: me, content }, { ignoreDuplicates: true }),
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
 * field, in their order (MSG-04).
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
      restoreText(id, joinTexts(...queue().map(({ content }) => content)))
      setQueue(id, NONE)
    }
  }
}
