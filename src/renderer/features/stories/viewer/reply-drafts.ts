import { create } from 'zustand'
import { useMe } from '#/renderer/features/auth'

/** A reply that was begun. */
interface ReplyDraft {
  /** Made here: the same reply sent twice, e.g. after a lost answer, is one message. */
  id: string
  text: string
}

/** By member and story: a story that passes by must not take along what was typed. */
const useDrafts = create<{ drafts: Record<string, ReplyDraft> }>(() => ({ drafts: {} }))

function newDraft(text: string): ReplyDraft {
  return { id: crypto.randomUUID(), text }
}

/** The begun reply to a story, and how to change it. */
export function useReplyDraft(storyId: string) {
  const key = `${useMe().id}:${storyId}`
  const draft = useDrafts((state) => state.drafts[key])
  return {
    text: draft?.text ?? '',
    /** Other words are another message: the one before may have arrived. */
    setText: (text: string) =>
      useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: newDraft(text) } })),
    /** What would be sent now. */
    read: (): ReplyDraft => useDrafts.getState().drafts[key] ?? newDraft(''),
    /** The reply with this id is on its way. */
    clear: (id: string) =>
      useDrafts.setState((state) => {
        const { [key]: current, ...drafts } = state.drafts
        return current?.id === id ? { drafts } : state
      }),
  }
}
