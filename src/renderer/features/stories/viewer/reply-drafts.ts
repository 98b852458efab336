import { useMe } from '#/renderer/features/auth'
import { createDraftStore } from '#/renderer/lib/draft-store'

/** A reply that was begun. */
interface ReplyDraft {
  /** Made here: the same reply sent twice, e.g. after a lost answer, is one message. */
  id: string
  text: string
}

/** By story: neither a story that passes by nor a reload must take along what was typed. */
export const replyDrafts = createDraftStore<ReplyDraft>('reply', ({ id, text }) =>
  typeof id === 'string' && typeof text === 'string' ? { id, text } : null,
)

function newDraft(text: string): ReplyDraft {
  return { id: crypto.randomUUID(), text }
}

/** How the begun reply to a story changes. */
export function replyDraftOf(me: string, storyId: string) {
  /** What would be sent now. */
  const read = (): ReplyDraft => replyDrafts.read(me, storyId) ?? newDraft('')
  return {
    read,
    /** Other words are another message: the one before may have arrived. */
    setText: (text: string) => replyDrafts.write(me, storyId, text === '' ? null : newDraft(text)),
    /** The reply with this id is on its way. */
    clear: (id: string) => {
      if (read().id === id) replyDrafts.write(me, storyId, null)
    },
  }
}

/** The begun reply to a story, and how to change it. */
export function useReplyDraft(storyId: string) {
  const { id: me } = useMe()
  const draft = replyDrafts.use(me, storyId)
  return { text: draft?.text ?? '', ...replyDraftOf(me, storyId) }
}
