import { create } from 'zustand'
import { composeText } from '#/shared/composed-text'
import { trimText } from '#/shared/visible-text'
import { draftKey, getDraftText, useDraftKey } from './drafts-store'
import type { Message } from './message'

/** A message that is being edited, with its new text. */
export interface Editing {
  message: Message
  text: string
  /** The form is closed while the text is saved, or if saving failed while the member was typing something else. */
  stage: 'open' | 'saving' | 'failed'
  /** Why the server did not save it; null unless it refused, and while it is saved again. */
  reason: string | null
}

const NONE: readonly Editing[] = []

/**
 * By the key of the conversation's draft, which another member of this window does not have. Kept while the member looks at another
 * conversation or is signed out, but not over a restart.
 */
const useEditingStore = create<Readonly<Record<string, readonly Editing[]>>>(() => ({}))

/** The edits of a conversation, at most one of each message. */
export function useEdits(conversationId: string): readonly Editing[] {
  const key = useDraftKey(conversationId)
  return useEditingStore((state) => state[key] ?? NONE)
}

/** The edit of a conversation whose form is open. */
export function useEditing(conversationId: string): Editing | null {
  return useEdits(conversationId).find(({ stage }) => stage === 'open') ?? null
}

function changeEdits(key: string, change: (edits: readonly Editing[]) => readonly Editing[]): void {
  useEditingStore.setState((state) => ({ [key]: change(state[key] ?? NONE) }))
}

/** Opens the form for a message or changes its text; the same message keeps what was typed. */
export function editMessage(message: Message, text?: string): void {
  changeEdits(draftKey(message.conversation_id), (edits) => {
    const known = edits.find((edit) => edit.message.id === message.id)
    // Another message whose form was open is no longer edited.
    const others = edits.filter((edit) => edit !== known && edit.stage !== 'open')
    const { message: stored, text: typed, reason } = known ?? { message, text: message.content, reason: null }
    return [...others, { message: stored, text: text ?? typed, stage: 'open', reason }]
  })
}

export function stopEditing({ id, conversation_id }: Message): void {
  changeEdits(draftKey(conversation_id), (edits) => edits.filter(({ message }) => message.id !== id))
}

/** A saved edit, and where it goes if saving fails. */
export interface SavedEdit {
  message: Message
  content: string
  /** The key of the conversation's draft, and its text. */
  key: string
  draft: string
}

/** Closes the form: the message shows its new text while it is saved. */
export function startSaving(message: Message, content: string): SavedEdit {
  const key = draftKey(message.conversation_id)
  changeEdits(key, (edits) =>
    edits.map((edit) =>
      edit.message.id === message.id ? { ...edit, text: content, stage: 'saving', reason: null } : edit,
    ),
  )
  return { message, content, key, draft: getDraftText(message.conversation_id) }
}

/** Whether an edit is the saved one, and was not changed since. */
const isSaving = ({ message, content }: SavedEdit, edit: Editing) =>
  edit.stage === 'saving' && edit.message.id === message.id && edit.text === content

export function finishSaving(saved: SavedEdit): void {
  changeEdits(saved.key, (edits) => edits.filter((edit) => !isSaving(saved, edit)))
}

/**
 * Returns an edit that was not saved: into the form, unless the member has another one open or has typed a message
 * meanwhile, so that their keys stay where they are.
 */
export function failSaving(saved: SavedEdit, reason: string): void {
  const isTyping = getDraftText(saved.message.conversation_id) !== saved.draft
  changeEdits(saved.key, (edits) => {
    const isBusy = isTyping || edits.some(({ stage }) => stage === 'open')
    return edits.map((edit) =>
      isSaving(saved, edit) ? { ...edit, stage: isBusy ? 'failed' : 'open', reason } : edit,
    )
  })
}

function editsOf(keyPrefix: string): [string, readonly Editing[]][] {
  return Object.entries(useEditingStore.getState()).filter(([key]) => key.startsWith(keyPrefix))
}

/** Whether a member has changed the text of a message that is not saved. */
export function hasEdits(keyPrefix: string): boolean {
  return editsOf(keyPrefix).some(([, edits]) =>
    edits.some(({ text, message }) => trimText(text) !== composeText(message.content)),
  )
}

export function forgetEdits(keyPrefix: string): void {
  useEditingStore.setState(Object.fromEntries(editsOf(keyPrefix).map(([key]) => [key, NONE])))
}
