import { create } from 'zustand'
import { useMe } from '#/renderer/features/auth'

/** A comment that was begun. */
export interface CommentDraft {
  /** Made here: the same comment sent twice, e.g. after a lost answer, is one. */
  id: string
  text: string
  wasSent: boolean
}

/** By member and post: a card that scrolls out of the list must not lose what was typed. */
const useDrafts = create<{ drafts: Record<string, CommentDraft> }>(() => ({ drafts: {} }))

function newDraft(): CommentDraft {
  return { id: crypto.randomUUID(), text: '', wasSent: false }
}

/** The begun comment of a post, and how to change it. */
export function useCommentDraft(postId: string) {
  const key = `${useMe().id}:${postId}`
  const draft = useDrafts((state) => state.drafts[key])
  const change = (next: (draft: CommentDraft) => CommentDraft | undefined) =>
    useDrafts.setState(({ drafts }) => {
      const { [key]: current = newDraft(), ...others } = drafts
      const changed = next(current)
      return { drafts: changed === undefined ? others : { ...others, [key]: changed } }
    })
  return {
    text: draft?.text ?? '',
    setText: (text: string) =>
      // A comment cannot be changed once it is stored: other words are another comment.
      change((current) => (current.wasSent ? { ...newDraft(), text } : { ...current, text })),
    /** Marks the draft as sent and gives it. */
    take: (): CommentDraft => {
      change((current) => ({ ...current, wasSent: true }))
      return useDrafts.getState().drafts[key] ?? newDraft()
    },
    /** The comment with this id is stored. */
    clear: (id: string) => change((current) => (current.id === id ? undefined : current)),
  }
}
