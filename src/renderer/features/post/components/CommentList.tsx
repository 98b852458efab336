import { type RefObject, useEffect, useRef, useState } from 'react'
import { ListEnd, WINDOW } from '#/renderer/components/ListEnd'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { COMMENTS_PAGE } from '#/shared/limits'
import { useLiveComments } from '../comments/live'
import { useDeleteCommentMutation } from '../comments/mutations'
import { type Comment, useCommentQuery, useCommentsQuery } from '../comments/queries'
import type { SentComment } from '../drafts'
import type { Post } from '../queries'
import { CommentThread } from './CommentThread'
import { MissingComments } from './MissingComments'

const DeleteCommentDialog = lazyDialog(() => import('./DeleteCommentDialog'), 'DeleteCommentDialog')

/** Height of comments that scroll by themselves, while they are loaded, in pixels. */
const OWN_SCROLL_HEIGHT = 80
/** Height of a comment of two lines, and of the sentence that there is none, in pixels. */
const COMMENT_HEIGHT = 74
const NONE_HEIGHT = 46

/** The height of the first page of comments, in pixels, by an estimate. */
function expectedHeight(count: number): number {
  return Math.max(NONE_HEIGHT, Math.min(count, COMMENTS_PAGE) * COMMENT_HEIGHT)
}

interface CommentListProps {
  post: Post
  /** The comment that was just sent: it is scrolled into view. */
  sent: SentComment | null
  /** The comment that a link names: it is scrolled into view and highlighted. */
  linkedId?: string | null
  /** Called when the field has become a reply. */
  onReply: () => void
  /** The list scrolls by itself at about 12rem (FEED-06). */
  hasOwnScroll?: boolean
}

/** A post's comments, oldest first, with their replies. Scrolling to the end loads more. */
export function CommentList({
  post,
  sent,
  linkedId = null,
  onReply,
  hasOwnScroll = false,
}: CommentListProps) {
  const me = useMe()
  const query = useCommentsQuery(post.id)
  useLiveComments(post.id)
  const { data: comments = [], isPending, isLoadingError, refetch } = query
  const linked = useLinkedThread(post.id, linkedId, isPending ? null : comments)
  const deletion = useDeleteCommentMutation(post.id)
  const [toDelete, setToDelete] = useState<Comment | null>(null)
  const list = useRef<HTMLUListElement>(null)
  useScrollToSent(list, comments, sent, hasOwnScroll)

  if (isPending || isLoadingError) {
    return (
      <MissingComments
        what="comments"
        hasFailed={!isPending}
        onRetry={refetch}
        minHeight={hasOwnScroll ? OWN_SCROLL_HEIGHT : expectedHeight(post.comment_count)}
      />
    )
  }
  const gone = linked.isGone && (
    <p role="status" className="px-4 pt-3 text-[14px] text-quiet">
      {texts.post.commentGone}
    </p>
  )
  if (comments.length === 0)
    return (
      <>
        {gone}
        <p className={`px-4 pt-3 text-[14px] text-quiet ${hasOwnScroll ? '' : 'pb-3'}`}>
          {texts.post.noComments}
        </p>
      </>
    )
  const { pinned } = linked
  const shown = pinned === null ? comments : [pinned, ...comments.filter(({ id }) => id !== pinned.id)]
  return (
    <>
      {gone}
      <ul
        ref={list}
        aria-label={texts.post.commentList}
        className={`py-1.5 ${hasOwnScroll ? 'max-h-48 overflow-y-auto overscroll-contain' : ''}`}
      >
        {shown.map((comment) => (
          <CommentThread
            key={comment.id}
            comment={comment}
            sent={sent}
            linkedId={comment.id === linked.threadId ? linkedId : null}
            canDelete={({ user_id }) => user_id === me.id || post.user_id === me.id}
            onDelete={setToDelete}
            onReply={onReply}
          />
        ))}
        <ListEnd query={query} scroller={hasOwnScroll ? list : WINDOW} label={texts.post.moreComments} />
      </ul>
      {toDelete !== null && (
        <DeleteCommentDialog
          onConfirm={() => {
            deletion.mutate(toDelete)
            setToDelete(null)
          }}
          onCancel={() => setToDelete(null)}
        />
      )}
    </>
  )
}

/** Scrolls to the member's new comment; a thread scrolls to its new reply itself. */
function useScrollToSent(
  list: RefObject<HTMLUListElement | null>,
  comments: readonly Comment[],
  sent: SentComment | null,
  hasOwnScroll: boolean,
): void {
  const isShown = sent !== null && comments.some(({ id }) => id === sent.id)
  useEffect(() => {
    if (!isShown || list.current === null) return
    if (hasOwnScroll) list.current.scrollTop = list.current.scrollHeight
    else list.current.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }, [list, isShown, hasOwnScroll])
}

interface LinkedThread {
  /** The comment that starts the thread of the linked one. */
  threadId: string | null
  /** The comment that starts the thread, if it belongs to a later page: shown on top until the link changes. */
  pinned: Comment | null
  isGone: boolean
}

/**
 * Finds the thread of a linked comment.
 * @param comments the loaded comments; null before the first page
 */
function useLinkedThread(
  postId: string,
  linkedId: string | null,
  comments: readonly Comment[] | null,
): LinkedThread {
  const { data: linked } = useCommentQuery(postId, linkedId)
  const threadId = linked == null ? null : (linked.parent_id ?? linked.id)
  const { data: thread = null } = useCommentQuery(postId, threadId)
  const isLoaded = comments?.some(({ id }) => id === threadId)
  // Decided once: a later page that contains the thread must not move it.
  const [isLater, setIsLater] = useState<Readonly<Record<string, boolean>>>({})
  if (threadId !== null && isLoaded !== undefined && isLater[threadId] === undefined) {
    setIsLater({ [threadId]: !isLoaded })
  }
  return {
    threadId,
    pinned: threadId !== null && isLater[threadId] === true ? thread : null,
    isGone: linkedId !== null && linked === null,
  }
}
