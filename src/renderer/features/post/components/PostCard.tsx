import { memo, useEffect, useId, useState } from 'react'
import { PostSkeleton } from '#/renderer/components/PostSkeleton'
import { texts } from '#/renderer/lib/texts'
import { useCardState } from '../card-state'
import { type Post, usePictureQuery, usePostQuery } from '../queries'
import { useReactions } from '../reactions'
import { Comments } from './Comments'
import { PendingComments } from './PendingComments'
import { PostActions } from './PostActions'
import { PostHeader } from './PostHeader'
import { PostPhoto } from './PostPhoto'
import { FoldedCaption, FoldedPictureText } from './PostText'

interface PostCardProps {
  id: string
  /** Its place in the feed, from 1. */
  position: number
  /** How many posts the feed has; -1 while that is not known. */
  setSize: number
  /** The feed's ids, in its order. */
  list: readonly string[]
  /** It is gone or hidden, and nothing is left to show. The same function at each render. */
  onGone: (id: string) => void
}

/** A post in a list. Its data may have been dropped from memory while it was far away: then it is read again. */
export const PostCard = memo(function PostCard({ id, onGone, ...rest }: PostCardProps) {
  const { data: post } = usePostQuery(id)
  const isGone = post === null
  useEffect(() => {
    if (isGone) onGone(id)
  }, [isGone, id, onGone])
  if (post === undefined) return <PostSkeleton />
  if (post === null) return null
  return <LoadedPost post={post} {...rest} />
})

interface LoadedPostProps extends Omit<PostCardProps, 'id' | 'onGone'> {
  post: Post
}

function LoadedPost({ post, position, setSize, list }: LoadedPostProps) {
  const [{ areCommentsOpen }, changeState] = useCardState(post.id)
  // One scrolled out of the list and back has them open too, but nobody asks for them at that moment.
  const [isAsked, setIsAsked] = useState(false)
  const showComments = (areShown: boolean) => {
    setIsAsked(areShown)
    changeState({ areCommentsOpen: areShown })
  }
  const reactions = useReactions(post)
  const { data: picture } = usePictureQuery(post.id)
  const commentsId = useId()
  const preview = picture ?? post.thumbnail_url
  return (
    <article
      data-post={post.id}
      tabIndex={-1}
      aria-label={texts.post.by(post.author.username)}
      aria-posinset={position}
      aria-setsize={setSize}
      className="mb-6 overflow-hidden rounded-lg border border-line bg-raised shadow-card outline-offset-4"
    >
      <PostHeader post={post} list={list} />
      {preview === null ? (
        <FoldedPictureText post={post} />
      ) : (
        <PostPhoto post={post} picture={preview} onLike={reactions.like} />
      )}
      <PostActions
        post={post}
        reactions={reactions}
        disclosure={{ id: commentsId, isOpen: areCommentsOpen }}
        onComment={() => showComments(!areCommentsOpen)}
      />
      {preview !== null && post.content !== '' && <FoldedCaption post={post} />}
      {!areCommentsOpen && post.comment_count > 0 && (
        <button
          type="button"
          onClick={() => showComments(true)}
          className="mx-2 mb-2 rounded-sm px-2 py-1 text-[14px] text-quiet hover:text-ink"
        >
          {texts.post.viewComments(post.comment_count)}
        </button>
      )}
      {areCommentsOpen ? (
        <Comments id={commentsId} post={post} isAsked={isAsked} />
      ) : (
        <PendingComments postId={post.id} onEdit={() => showComments(true)} />
      )}
    </article>
  )
}
