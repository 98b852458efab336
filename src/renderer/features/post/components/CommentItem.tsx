import { Ellipsis, Heart } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { Fold } from '#/renderer/components/Fold'
import { IconButton } from '#/renderer/components/IconButton'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { loadAhead } from '#/renderer/lib/browser/load-ahead-store'
import { setUnfolded } from '#/renderer/lib/layout/unfolded-store'
import { texts } from '#/renderer/lib/texts'
import { useToggleCommentLike } from '../comments/mutations'
import type { Comment } from '../comments/queries'

const loadMenu = loadAhead(() => import('./CommentMenuItems'))

interface CommentItemProps {
  comment: Comment
  /** Whether a link names this comment. */
  isLinked: boolean
  canDelete: boolean
  onDelete: () => void
  onReply: () => void
}

/** A comment or reply with its author, likes, menu and 'Reply'. */
export function CommentItem({ comment, isLinked, canDelete, onDelete, onReply }: CommentItemProps) {
  const { username } = comment.author
  const toggleLike = useToggleCommentLike(comment.post_id)
  const isLiked = comment.my_like.length > 0
  const item = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isLinked || item.current === null) return
    setUnfolded(comment.id, true)
    item.current.scrollIntoView({ block: 'center' })
    // Move the focus here for screen readers and keys, unless the member is typing.
    if (document.activeElement?.matches('body, [role=dialog]')) item.current.focus({ preventScroll: true })
  }, [isLinked, comment.id])
  return (
    <div
      ref={item}
      tabIndex={isLinked ? -1 : undefined}
      data-linked={isLinked || undefined}
      className="group flex items-start gap-2.5 px-4 py-1.5 text-[14px] -outline-offset-2 data-linked:bg-accent-wash"
    >
      <Avatar member={comment.author} size={26} className="mt-px" />
      <div className="min-w-0 flex-1">
        <Fold id={comment.id} text={comment.content} place="comment" className="[overflow-wrap:anywhere]">
          <Link
            to={`/profile/${username}`}
            dir="ltr"
            className="rounded-sm font-semibold underline-offset-3 hover:underline"
          >
            {username}
          </Link>
        </Fold>
        <p className="flex flex-wrap items-center gap-x-3 text-[12px] text-quiet">
          <RelativeTime at={comment.created_at} />
          {comment.like_count > 0 && <span>{texts.post.likes(comment.like_count)}</span>}
          <button
            type="button"
            aria-label={texts.post.replyTo(username)}
            onClick={onReply}
            className="-mx-1 min-h-6 rounded-sm px-1 font-medium hover:text-ink"
          >
            {texts.post.reply}
          </button>
        </p>
      </div>
      <LazyPopup
        kind="menu"
        load={loadMenu}
        trigger={(props) => (
          <IconButton
            label={texts.post.commentOptions(username)}
            size="small"
            className="text-quiet opacity-0 focus-visible:opacity-100 group-hover:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
            {...props}
          >
            <Ellipsis />
          </IconButton>
        )}
      >
        {({ CommentMenuItems }, popup) => (
          <CommentMenuItems {...popup} comment={comment} onDelete={canDelete ? onDelete : null} />
        )}
      </LazyPopup>
      <IconButton
        label={texts.post.likeComment(username)}
        aria-pressed={isLiked}
        size="small"
        onClick={() => toggleLike(comment)}
        className={isLiked ? 'text-accent [&_svg]:animate-pop [&_svg]:fill-accent' : 'text-quiet'}
      >
        <Heart />
      </IconButton>
    </div>
  )
}
