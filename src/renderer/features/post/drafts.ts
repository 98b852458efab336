import { useMe } from '#/renderer/features/auth'
import { createDraftStore, createEditDrafts } from '#/renderer/lib/draft-store'
import { ALT_FIELDS, type PostEdit } from './model'

/** The text in a comment field. */
export interface CommentDraft {
  /** Generated here: a comment that is sent again after a lost response is stored once. */
  id: string
  text: string
  wasSent: boolean
}

/** By post: the text survives a reload, and a card that scrolls out of the list. */
export const commentDrafts = createDraftStore<CommentDraft>('comment', ({ id, text, wasSent }) =>
  typeof id === 'string' && typeof text === 'string' ? { id, text, wasSent: wasSent === true } : null,
)

/** Unsaved changes to the member's posts, by post. */
export const postEdits = createEditDrafts<PostEdit>('post-edit', ['content', 'location', ...ALT_FIELDS])

function newDraft(): CommentDraft {
  return { id: crypto.randomUUID(), text: '', wasSent: false }
}

/** Changes the comment draft of a post. */
export function commentDraftOf(me: string, postId: string) {
  const read = () => commentDrafts.read(me, postId) ?? newDraft()
  const write = (draft: CommentDraft | null) =>
    commentDrafts.write(me, postId, draft?.text === '' && !draft.wasSent ? null : draft)
  return {
    /** A stored comment cannot be changed: another text is another comment. */
    setText: (text: string) => {
      const draft = read()
      write(draft.wasSent ? { ...newDraft(), text } : { ...draft, text })
    },
    /** Marks the draft as sent, and returns it. */
    take: (): CommentDraft => {
      const draft = { ...read(), wasSent: true }
      write(draft)
      return draft
    },
    /** Restores a refused comment, before text typed since. */
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

/** The comment draft of a post, and functions that change it. */
export function useCommentDraft(postId: string) {
  const { id: me } = useMe()
  const draft = commentDrafts.use(me, postId)
  return { text: draft?.text ?? '', ...commentDraftOf(me, postId) }
}
