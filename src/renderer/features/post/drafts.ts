import { useMe } from '#/renderer/features/auth'
import { newId } from '#/renderer/lib/core/uuid'
import { createDraftStore, createEditDrafts } from '#/renderer/lib/local/draft-store'
import { isRecord } from '#/renderer/lib/local/local-storage'
import { sendingDrafts } from '#/renderer/lib/local/sending-drafts-store'
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

/** A comment that has left its field, and is not stored yet. */
interface LeftComment extends Pick<CommentDraft, 'id' | 'text' | 'replyTo'> {
  /** It could not be sent, and the field had another text by then. */
  hasFailed: boolean
}

interface FieldDraft extends CommentDraft {
  left: readonly LeftComment[]
}

function parseReplyTo(value: unknown): ReplyTo | null {
  if (!isRecord(value)) return null
  const { threadId, username } = value
  return typeof threadId === 'string' && typeof username === 'string' ? { threadId, username } : null
}

function parseLeft(value: unknown): LeftComment[] {
  const items: unknown[] = Array.isArray(value) ? value : []
  return items.filter(isRecord).flatMap(({ id, text, replyTo, hasFailed }) => {
    if (typeof id !== 'string' || typeof text !== 'string') return []
    return [{ id, text, replyTo: parseReplyTo(replyTo), hasFailed: hasFailed === true }]
  })
}

/** Returns a comment to the field, before text typed since. */
function putBack<T extends CommentDraft>(draft: T, { id, text, replyTo }: Omit<LeftComment, 'hasFailed'>): T {
  return draft.text === ''
    ? { ...draft, id, text, wasSent: true, replyTo }
    : { ...draft, ...newDraft(), text: `${text} ${draft.text}`, replyTo: replyTo ?? draft.replyTo }
}

/**
 * By post: the text survives a reload, and a card that scrolls out of the list. After a reload, and in another window, nobody knows
 * of a comment whether it is still being sent, so it is back in the field. It keeps its id.
 */
export const commentDrafts = createDraftStore<FieldDraft>(
  'comment',
  ({ id, text, wasSent, replyTo, ...fields }) => {
    if (typeof id !== 'string' || typeof text !== 'string') return null
    const all = parseLeft(fields.left)
    const left = all.filter((each) => each.hasFailed || sendingDrafts.has(each.id))
    const draft = { id, text, wasSent: wasSent === true, replyTo: parseReplyTo(replyTo), left }
    return all.filter((each) => !left.includes(each)).reduceRight<FieldDraft>(putBack, draft)
  },
)

/** Unsaved changes to the member's posts, by post. */
export const postEdits = createEditDrafts<PostEdit>('post-edit', ['content', 'location', ...ALT_FIELDS])

function newDraft(): CommentDraft {
  return { id: newId(), text: '', wasSent: false, replyTo: null }
}

/** Changes the comment draft of a post. */
export function commentDraftOf(me: string, postId: string) {
  const read = () => commentDrafts.read(me, postId) ?? { ...newDraft(), left: [] }
  const write = (draft: FieldDraft) => {
    const isEmpty = draft.text === '' && !draft.wasSent && draft.replyTo === null && draft.left.length === 0
    commentDrafts.write(me, postId, isEmpty ? null : draft)
  }
  const forget = (id: string, draft: FieldDraft): FieldDraft => ({
    ...draft,
    left: draft.left.filter((each) => each.id !== id),
  })
  return {
    /** A stored comment cannot be changed: another text is another comment. */
    setText: (text: string) => {
      const draft = read()
      write({ ...draft, ...(draft.wasSent && { ...newDraft(), replyTo: draft.replyTo }), text })
    },
    /**
     * Makes the draft a reply, or an ordinary comment for null.
     * @param text what an empty field then starts with
     */
    setReplyTo: (replyTo: ReplyTo | null, text = '') => {
      const draft = read()
      const id = draft.wasSent ? newId() : draft.id
      write({ ...draft, id, text: trimText(draft.text) === '' ? text : draft.text, wasSent: false, replyTo })
    },
    /** Takes the comment out of the field, which is then empty for the next one, and returns it to be sent. */
    take: (): CommentDraft => {
      const { id, text, replyTo, left } = read()
      sendingDrafts.add(id)
      write({ ...newDraft(), left: [...left, { id, text, replyTo, hasFailed: false }] })
      return { id, text, wasSent: true, replyTo }
    },
    /** The taken comment was not sent: it returns to the field, or is offered beside what was typed since (FEED-07). */
    giveBack: (id: string) => {
      const draft = read()
      sendingDrafts.delete(id)
      const failed = draft.left.find((each) => each.id === id)
      if (failed === undefined) return
      const isFree = trimText(draft.text) === '' && draft.replyTo === null
      write(
        isFree
          ? putBack({ ...forget(id, draft), text: '' }, failed)
          : {
              ...draft,
              left: draft.left.map((each) => (each === failed ? { ...failed, hasFailed: true } : each)),
            },
      )
    },
    /** Restores a refused comment, before text typed since. */
    restore: (id: string, text: string, replyTo: ReplyTo | null) =>
      write(putBack(forget(id, read()), { id, text, replyTo })),
    /** The comment with this id is stored, waits in the outbox, or is discarded. */
    clear: (id: string) => {
      const draft = forget(id, read())
      sendingDrafts.delete(id)
      write(draft.id === id ? { ...newDraft(), left: draft.left } : draft)
    },
  }
}

/** The comment draft of a post, and functions that change it. */
export function useCommentDraft(postId: string) {
  const { id: me } = useMe()
  const draft = commentDrafts.use(me, postId)
  const { text = '', replyTo = null, left = [] } = draft ?? {}
  return {
    text,
    replyTo,
    isSending: left.some(({ hasFailed }) => !hasFailed),
    failed: left.filter(({ hasFailed }) => hasFailed),
    ...commentDraftOf(me, postId),
  }
}
