import { useMe } from '#/renderer/features/auth'
import { createDraftStore } from '#/renderer/lib/draft-store'

/** An unsent reply. */
interface ReplyDraft {
  /** Generated here, so that a reply sent twice (after a lost response) is stored once. */
  id: string
  text: string
}

/** By story, so that a typed reply survives the next story and a reload. */
export const replyDrafts = createDraftStore<ReplyDraft>('reply', ({ id, text }) =>
  typeof id === 'string' && typeof text === 'string' ? { id, text } : null,
)

function newDraft(text: string): ReplyDraft {
  return { id: crypto.randomUUID(), text }
}

/** Reads and changes the draft reply to a story. */
export function replyDraftOf(me: string, storyId: string) {
  const read = (): ReplyDraft => replyDrafts.read(me, storyId) ?? newDraft('')
  return {
    read,
    /** Changed text gets a new id, because the previous text may have been stored. */
    setText: (text: string) => replyDrafts.write(me, storyId, text === '' ? null : newDraft(text)),
    /** Removes the sent reply, unless it was changed meanwhile. */
    clear: (id: string) => {
      if (read().id === id) replyDrafts.write(me, storyId, null)
    },
  }
}

export function useReplyDraft(storyId: string) {
  const { id: me } = useMe()
  const draft = replyDrafts.use(me, storyId)
  return { text: draft?.text ?? '', ...replyDraftOf(me, storyId) }
}
