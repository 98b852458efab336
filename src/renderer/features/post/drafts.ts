import { useMe } from '#/renderer/features/auth'
import { createDraftStore, createEditDrafts } from '#/renderer/lib/draft-store'
import type { PostWords } from './model'

/** A comment that was begun. */
export interface CommentDraft {
  /** Made here: the same comment sent twice, e.g. after a lost answer, is one. */
  id: string
  text: string
  wasSent: boolean
}

/** By post: neither a card that scrolls out of the list nor a reload must lose what was typed. */
export const commentDrafts = createDraftStore<CommentDraft>('comment', ({ id, text, wasSent }) =>
  typeof id === 'string' && typeof text === 'string' ? { id, text, wasSent: wasSent === true } : null,
)

/** Unsaved changes to one's own posts, by post. */
export const postEdits = createEditDrafts<PostWords>('post-edit', ['content', 'location', 'altText'])

function newDraft(): CommentDraft {
  return { id: crypto.randomUUID(), text: '', wasSent: false }
}

/** How the begun comment of a post changes. */
export function commentDraftOf(me: string, postId: string) {
  const read = () => commentDrafts.read(me, postId) ?? newDraft()
  const write = (draft: CommentDraft | null) =>
    commentDrafts.write(me, postId, draft?.text === '' && !draft.wasSent ? null : draft)
  return {
    /** A comment cannot be changed once it is stored: other words are another comment. */
    setText: (text: string) => {
      const draft = read()
      write(draft.wasSent ? { ...newDraft(), text } : { ...draft, text })
    },
    /** Marks the draft as sent and gives it. */
    take: (): CommentDraft => {
      const draft = { ...read(), wasSent: true }
      write(draft)
      return draft
    },
    /** Puts a comment that the server refused back, before text typed since. */
    restore: (id: string, text: string) => {
      const since = read().text
      write(since === '' ? { id, text, wasSent: true } : { ...newDraft(), text: `${text} ${since}` })
    },
    /** The comment with this id is stored, or waits in the outbox. */
    clear: (id: string) => {
      if (read().id === id) write(null)
    },
  }
}

/** The begun comment of a post, and how to change it. */
export function useCommentDraft(postId: string) {
  const { id: me } = useMe()
  const draft = commentDrafts.use(me, postId)
  return { text: draft?.text ?? '', ...commentDraftOf(me, postId) }
}
