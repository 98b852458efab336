import { create } from 'zustand'
import { onOwnerChange } from './drafts-store'
import type { Message } from './message'

/** A message that is being edited, with its new text. */
export interface Editing {
  message: Message
  text: string
}

/** By conversation. Kept while the member looks at another conversation, but not over a restart. */
const useEditingStore = create<Readonly<Record<string, Editing | null>>>(() => ({}))
onOwnerChange(() => useEditingStore.setState({}, true))

/** The message of a conversation that is being edited. */
export function useEditing(conversationId: string): Editing | null {
  return useEditingStore((state) => state[conversationId] ?? null)
}

/** Starts or changes an edit; the same message keeps what was typed. */
export function editMessage(message: Message, text = message.content): void {
  useEditingStore.setState({ [message.conversation_id]: { message, text } })
}

export function stopEditing(conversationId: string): void {
  useEditingStore.setState({ [conversationId]: null })
}
