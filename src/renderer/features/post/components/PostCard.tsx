import { useId, useState } from 'react'
import { PostSkeleton } from '#/renderer/components/PostSkeleton'
import { texts } from '#/renderer/lib/texts'
import type { Post } from '../queries'
import { usePostQuery } from '../queries'
import { useReactions } from '../reactions'
import { Comments } from './Comments'
import { PostActions } from './PostActions'
import { PostHeader } from './PostHeader'
import { PostPhoto } from './PostPhoto'
import { PostText } from './PostText'

interface PostCardProps {
  id: string
  /** The member deleted it here. */
  onDeleted: (id: string) => void
}

/** A post in a list. Its data may have been dropped from memory while it was far away: then it is read again. */
export function PostCard({ id, onDeleted }: PostCardProps) {
  const { data: post } = usePostQuery(id)
  if (post === undefined) return <PostSkeleton />
  if (post === null) return null
  return <LoadedPost post={post} onDeleted={onDeleted} />
}

function LoadedPost({ post, onDeleted }: { post: Post; onDeleted: (id: string) => void }) {
  const [areCommentsOpen, setAreCommentsOpen] = useState(false)
  const reactions = useReactions(post)
  const commentsId = useId()
  return (
    <article
      data-post={post.id}
      tabIndex={-1}
      aria-label={texts.post.by(post.author.username)}
      className="mb-6 overflow-hidden rounded-lg border border-line bg-raised shadow-card outline-offset-4"
    >
      <PostHeader post={post} onDeleted={onDeleted} />
      {post.thumbnail_url !== null && <PostPhoto post={post} onLike={reactions.like} />}
      {post.thumbnail_url === null && <PostText post={post} isPicture />}
      <PostActions
        post={post}
        reactions={reactions}
        commentsId={commentsId}
        areCommentsOpen={areCommentsOpen}
        onToggleComments={() => setAreCommentsOpen(!areCommentsOpen)}
      />
      {post.thumbnail_url !== null && post.content !== '' && <PostText post={post} />}
      {!areCommentsOpen && post.comment_count > 0 && (
        <button
          type="button"
          onClick={() => setAreCommentsOpen(true)}
          className="mx-2 mb-2 rounded-sm px-2 py-1 text-[14px] text-quiet hover:text-ink"
        >
          {texts.post.viewComments(post.comment_count)}
        </button>
      )}
      {areCommentsOpen && <Comments id={commentsId} post={post} />}
    </article>
  )
}
