import { useMe } from '#/renderer/features/auth'
import { createDraftStore, createEditDrafts } from '#/renderer/lib/draft-store'
import { isRecord } from '#/renderer/lib/local-storage'
import { trimText } from '#/shared/visible-text'
import { ALT_FIELDS, type PostEdit } from './model'

/** The thread and author that a reply answers. */
export interface ReplyTo {
  /** The comment that starts the thread. */
  threadId: string
  /** The author of the answered comment. */
  username: string
}

/** The member's comment that was just sent. */
export interface SentComment {
  id: string
  replyTo: ReplyTo | null
}

/** The text in a comment field. */
export interface CommentDraft {
  /** Generated here: a comment that is sent again after a lost response is stored once. */
  id: string
  text: string
  wasSent: boolean
  replyTo: ReplyTo | null
}

function parseReplyTo(value: unknown): ReplyTo | null {
  if (!isRecord(value)) return null
  const { threadId, username } = value
  return typeof threadId === 'string' && typeof username === 'string' ? { threadId, username } : null
}

/** By post: the text survives a reload, and a card that scrolls out of the list. */
export const commentDrafts = createDraftStore<CommentDraft>('comment', ({ id, text, wasSent, replyTo }) =>
  typeof id === 'string' && typeof text === 'string'
    ? { id, text, wasSent: wasSent === true, replyTo: parseReplyTo(replyTo) }
    : null,
)

/** Unsaved changes to the member's posts, by post. */
export const postEdits = createEditDrafts<PostEdit>('post-edit', ['content', 'location', ...ALT_FIELDS])

function newDraft(): CommentDraft {
  return { id: crypto.randomUUID(), text: '', wasSent: false, replyTo: null }
}

/** Changes the comment draft of a post. */
export function commentDraftOf(me: string, postId: string) {
  const read = () => commentDrafts.read(me, postId) ?? newDraft()
  const write = (draft: CommentDraft | null) =>
    commentDrafts.write(
      me,
      postId,
      draft?.text === '' && !draft.wasSent && draft.replyTo === null ? null : draft,
    )
  return {
    /** A stored comment cannot be changed: another text is another comment. */
    setText: (text: string) => {
      const draft = read()
      write(draft.wasSent ? { ...newDraft(), text, replyTo: draft.replyTo } : { ...draft, text })
    },
    /**
     * Makes the draft a reply, or an ordinary comment for null.
     * @param text what an empty field then starts with
     */
    setReplyTo: (replyTo: ReplyTo | null, text = '') => {
      const draft = read()
      const id = draft.wasSent ? crypto.randomUUID() : draft.id
      write({ id, text: trimText(draft.text) === '' ? text : draft.text, wasSent: false, replyTo })
    },
    /** Marks the draft as sent, and returns it. */
    take: (): CommentDraft => {
      const draft = { ...read(), wasSent: true }
      write(draft)
      return draft
    },
    /** Restores a refused comment, before text typed since. */
    restore: (id: string, text: string, replyTo: ReplyTo | null) => {
      const since = read().text
      write(
        since === ''
          ? { id, text, wasSent: true, replyTo }
          : { ...newDraft(), text: `${text} ${since}`, replyTo },
      )
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
  return { text: draft?.text ?? '', replyTo: draft?.replyTo ?? null, ...commentDraftOf(me, postId) }
}
