import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { IconButton } from '#/renderer/components/IconButton'
import { ListEnd } from '#/renderer/components/ListEnd'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { RichText } from '#/renderer/components/RichText'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { useMe } from '#/renderer/features/auth'
import { lazyComponent } from '#/renderer/lib/lazy-component'
import { texts } from '#/renderer/lib/texts'
import { useDeleteCommentMutation } from '../mutations'
import { type Comment, type Post, useCommentsAfterReconnect, useCommentsQuery } from '../queries'

const DeleteCommentDialog = lazyComponent(() => import('./DeleteCommentDialog'), 'DeleteCommentDialog')

/** The window as `IntersectionObserver`'s root: null. Scrolling elements in it count too. */
const WINDOW = { current: null }

interface CommentListProps {
  post: Post
  /** The member's comment that was just sent: it is scrolled into view. */
  sentId: string | null
  /** The list scrolls by itself at about 12rem (FEED-06). */
  hasOwnScroll?: boolean
}

/** A post's comments, oldest first. Scrolling to the end loads more. */
export function CommentList({ post, sentId, hasOwnScroll = false }: CommentListProps) {
  const me = useMe()
  const query = useCommentsQuery(post.id)
  useCommentsAfterReconnect(post.id)
  const { data: comments = [], isPending, isLoadingError, refetch } = query
  const deletion = useDeleteCommentMutation(post.id)
  const [toDelete, setToDelete] = useState<Comment | null>(null)
  const list = useRef<HTMLUListElement>(null)

  const isSentShown = comments.some((comment) => comment.id === sentId)
  useEffect(() => {
    if (!isSentShown || sentId === null || list.current === null) return
    if (hasOwnScroll) list.current.scrollTop = list.current.scrollHeight
    else list.current.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }, [isSentShown, sentId, hasOwnScroll])

  if (isPending || isLoadingError) {
    return (
      <div className="grid h-20 place-items-center">
        <SpinnerOrRetry hasFailed={!isPending} onRetry={() => void refetch()} size={18} />
      </div>
    )
  }
  if (comments.length === 0)
    return (
      <p className={`px-4 pt-3 text-[14px] text-quiet ${hasOwnScroll ? '' : 'pb-3'}`}>
        {texts.post.noComments}
      </p>
    )
  return (
    <>
      <ul
        ref={list}
        aria-label={texts.post.commentList}
        className={`py-1.5 ${hasOwnScroll ? 'max-h-48 overflow-y-auto overscroll-contain' : ''}`}
      >
        {comments.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            canDelete={comment.user_id === me.id || post.user_id === me.id}
            onDelete={() => setToDelete(comment)}
          />
        ))}
        <ListEnd query={query} scroller={hasOwnScroll ? list : WINDOW} label={texts.post.moreComments} />
      </ul>
      {toDelete !== null && (
        <DeleteCommentDialog
          onConfirm={() => {
            deletion.mutate(toDelete.id)
            setToDelete(null)
          }}
          onCancel={() => setToDelete(null)}
        />
      )}
    </>
  )
}

interface CommentItemProps {
  comment: Comment
  canDelete: boolean
  onDelete: () => void
}

function CommentItem({ comment, canDelete, onDelete }: CommentItemProps) {
  const { username } = comment.author
  return (
    <li className="group flex items-start gap-2.5 px-4 py-1.5 text-[14px]">
      <Avatar member={comment.author} size={26} className="mt-px" />
      <div className="min-w-0 flex-1">
        <p>
          <Link
            to={`/profile/${username}`}
            className="me-0.5 rounded-sm font-semibold underline-offset-3 hover:underline"
          >
            {username}
          </Link>{' '}
          <RichText text={comment.content} />
        </p>
        <RelativeTime at={comment.created_at} className="text-[12px] text-quiet" />
      </div>
      {canDelete && (
        <IconButton
          label={texts.post.deleteComment}
          onClick={onDelete}
          size="small"
          className="text-quiet opacity-0 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
        >
          <Trash2 />
        </IconButton>
      )}
    </li>
  )
}
