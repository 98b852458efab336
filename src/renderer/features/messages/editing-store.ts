import { create } from 'zustand'
import { trimText } from '#/shared/visible-text'
import { draftKey, useDraftKey } from './drafts-store'
import type { Message } from './message'

/** A message that is being edited, with its new text. */
export interface Editing {
  message: Message
  text: string
}

/**
 * By the key of the conversation's draft, which another member of this window does not have. Kept while the member looks at another
 * conversation or is signed out, but not over a restart.
 */
const useEditingStore = create<Readonly<Record<string, Editing | null>>>(() => ({}))

/** The message of a conversation that is being edited. */
export function useEditing(conversationId: string): Editing | null {
  const key = useDraftKey(conversationId)
  return useEditingStore((state) => state[key] ?? null)
}

/** Starts or changes an edit; the same message keeps what was typed. */
export function editMessage(message: Message, text = message.content): void {
  useEditingStore.setState({ [draftKey(message.conversation_id)]: { message, text } })
}

export function stopEditing(conversationId: string): void {
  useEditingStore.setState({ [draftKey(conversationId)]: null })
}

function editsOf(keyPrefix: string): [string, Editing | null][] {
  return Object.entries(useEditingStore.getState()).filter(([key]) => key.startsWith(keyPrefix))
}

/** Whether a member has changed the text of a message without saving it. */
export function hasEdits(keyPrefix: string): boolean {
  return editsOf(keyPrefix).some(([, edit]) => edit !== null && trimText(edit.text) !== edit.message.content)
}

export function forgetEdits(keyPrefix: string): void {
  useEditingStore.setState(Object.fromEntries(editsOf(keyPrefix).map(([key]) => [key, null])))
}
