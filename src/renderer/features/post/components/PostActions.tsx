import { Bookmark, Heart, MessageCircle } from 'lucide-react'
import { Link, useLocation } from 'react-router-dom'
import { Count } from '#/renderer/components/Count'
import { IconButton } from '#/renderer/components/IconButton'
import { ShareButton } from '#/renderer/features/sharing'
import { modalLink } from '#/renderer/lib/navigation/modal-route'
import { texts } from '#/renderer/lib/texts'
import type { useReactions } from '../mutations/reactions'
import type { Post } from '../queries'
import { preloadsComments } from './lazy-comments'

interface PostActionsProps {
  post: Post
  reactions: ReturnType<typeof useReactions>
  /** Set where the button shows and hides the comments. */
  disclosure?: { id: string; isOpen: boolean }
  onComment: () => void
  className?: string
}

export function PostActions({
  post,
  reactions,
  disclosure,
  onComment,
  className = 'px-2 pt-2',
}: PostActionsProps) {
  const { isLiked, isSaved, toggleLike, toggleSave } = reactions
  return (
    <div className={`flex items-center pb-1 font-medium text-[14px] tabular-nums ${className}`}>
      <IconButton
        label={texts.post.like}
        aria-pressed={isLiked}
        data-action="like"
        onClick={toggleLike}
        className={isLiked ? 'text-accent [&_svg]:animate-pop [&_svg]:fill-accent' : ''}
      >
        <Heart />
      </IconButton>
      <LikeCount post={post} />
      <IconButton
        label={texts.post.comment}
        aria-expanded={disclosure?.isOpen}
        aria-controls={disclosure?.isOpen ? disclosure.id : undefined}
        data-action="comment"
        onClick={onComment}
        {...preloadsComments}
      >
        <MessageCircle className="-scale-x-100" />
      </IconButton>
      <span className="ms-0.5">
        <Count n={post.comment_count} />
        <span className="sr-only">{texts.post.comments(post.comment_count)}</span>
      </span>
      <ShareButton source={{ kind: 'post', id: post.id }} className="ms-1.5" />
      <IconButton
        label={texts.post.save}
        aria-pressed={isSaved}
        data-action="save"
        onClick={toggleSave}
        className={`ms-auto ${isSaved ? '[&_svg]:animate-pop [&_svg]:fill-ink' : ''}`}
      >
        <Bookmark />
      </IconButton>
    </div>
  )
}

/** Number of likes, with a link to the members who like the post. */
function LikeCount({ post }: { post: Post }) {
  const location = useLocation()
  const words = (
    <>
      <Count n={post.like_count} />
      <span className="sr-only">{texts.post.likes(post.like_count)}</span>
    </>
  )
  if (post.like_count === 0) return <span className="ms-0.5 me-2.5">{words}</span>
  return (
    <Link
      {...modalLink(location, 'likes', post.id)}
      className="ms-0.5 me-1 grid min-h-6 min-w-6 items-center rounded-sm underline-offset-3 hover:underline"
    >
      {words}
    </Link>
  )
}
