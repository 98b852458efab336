import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/logger'
import { getDraftExtras, setDraftExtras } from './draft-extras'
import { holdText, joinTexts, restoreText } from './drafts'
import { type OutgoingPhoto, sendMessage } from './outbox'

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
  const lost = queue.find((message) => message.photo !== undefined)?.photo
  setDraftExtras(conversationId, {
    replyToId: queue[0]?.reply_to_id ?? replyToId,
    photo: lost === undefined ? photo : { state: 'ready', photo: lost },
  })
}

/**
 * Sends a message, after those sent before it. When it cannot be sent, it and what waits behind it go back into the
 * field (MSG-04), and `onFailed` is called; while the connection is known to be lost, the outbox has it (MSG-09).
 */
export async function send(message: NewMessage, onFailed: () => void): Promise<void> {
  const { conversation_id: id } = message
  const queue = () => useSendingStore.getState()[id] ?? NONE
  const isRunning = queue().length > 0
  setQueue(id, [...queue(), message])
  if (isRunning) return
  for (let next = queue()[0]; next !== undefined; next = queue()[0]) {
    try {
      const { created_at: _here, ...draft } = next
      await sendMessage(draft)
      setQueue(id, queue().slice(1))
    } catch (cause) {
      logFailure('send message', cause)
      restore(id, queue())
      setQueue(id, NONE)
      onFailed()
    }
  }
}
