import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, memo, useId, useRef, useState } from 'react'
import { pressArrow } from '#/renderer/components/PhotoCarousel'
import { PostSkeleton } from '#/renderer/components/PostSkeleton'
import { CARD_CLASS } from '#/renderer/components/post-card'
import { usePending } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { useCardState } from '../card-store'
import { COMMENT_KIND, commentScope } from '../keys'
import { setKnownPost } from '../known-posts'
import { useReactions } from '../mutations/reactions'
import { type Post, usePostLinks, usePostMedia } from '../queries'
import { useListedPost } from '../useListedPost'
import { FeedPhotos, visiblePhoto } from './FeedPhotos'
import { Comments, PendingComments, preloadsComments } from './lazy-comments'
import { PostActions } from './PostActions'
import { PostHeader } from './PostHeader'
import { PostLink, useOpenPost, usePrefetch } from './PostLink'
import { Caption, PictureText } from './PostText'

interface PostCardProps {
  id: string
  /** Position in the feed, from 1. */
  position: number
  /** Number of posts in the feed; -1 while unknown. */
  setSize: number
  /** The feed's ids, in its order. */
  list: readonly string[]
  /** Called when the post is deleted or hidden. Must be stable across renders. */
  onGone: (id: string) => void
}

/** A post in a list. The cache drops posts far from the viewport, and loads them again. */
export const PostCard = memo(function PostCard({ id, onGone, ...rest }: PostCardProps) {
  const post = useListedPost(id, onGone)
  if (post === undefined) return <PostSkeleton />
  if (post === null) return null
  return <LoadedPost post={post} {...rest} />
})

interface LoadedPostProps extends Omit<PostCardProps, 'id' | 'onGone'> {
  post: Post
}

function LoadedPost({ post, position, setSize, list }: LoadedPostProps) {
  const [{ areCommentsOpen }, changeState] = useCardState(post.id)
  // False for a card that scrolled out of the list and back with its comments open.
  const [isAsked, setIsAsked] = useState(false)
  const showComments = (areShown: boolean) => {
    setIsAsked(areShown)
    changeState({ areCommentsOpen: areShown })
  }
  const client = useQueryClient()
  const openPost = useOpenPost()
  const { onFocus: _, ...pointing } = usePrefetch(post.id)
  const article = useRef<HTMLElement>(null)
  const handleOpen = () => {
    // The light table shows the feed's picture, not one of a grid that was seen before.
    setKnownPost(client, post.id, undefined)
    openPost(post.id, list, article.current === null ? null : visiblePhoto(article.current))
  }
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Of the card itself, which j and k focus, not of its controls.
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter') handleOpen()
    else if (!pressArrow(event.currentTarget, event)) return
    event.preventDefault()
  }
  const reactions = useReactions(post)
  usePostLinks(post)
  const media = usePostMedia(post)
  const commentsId = useId()
  const hasPendingComments = usePending(COMMENT_KIND, commentScope(post.id)).length > 0
  return (
    <article
      ref={article}
      data-post={post.id}
      tabIndex={-1}
      onKeyDown={handleKeyDown}
      aria-label={texts.post.by(post.author.username)}
      aria-posinset={position}
      aria-setsize={setSize}
      className={CARD_CLASS}
    >
      <PostHeader
        post={post}
        className="py-2.5"
        linkTime={(time) => (
          <PostLink
            id={post.id}
            list={list}
            className="-mx-1 -mt-0.5 -mb-2 shrink-0 rounded-sm px-1 pt-0.5 pb-2 underline-offset-3 hover:underline"
          >
            {time}
          </PostLink>
        )}
      />
      {media.length === 0 ? (
        <PictureText post={post} />
      ) : (
        <FeedPhotos
          post={post}
          media={media}
          onOpen={handleOpen}
          onLike={reactions.like}
          prefetch={pointing}
        />
      )}
      <PostActions
        post={post}
        reactions={reactions}
        disclosure={{ id: commentsId, isOpen: areCommentsOpen }}
        onComment={() => showComments(!areCommentsOpen)}
        // The glyphs of the first and the last button are at the edges of the photo's column.
        className="-mx-2 pt-1.5"
      />
      {media.length > 0 && post.content !== '' && (
        <div className="pb-2">
          <Caption post={post} />
        </div>
      )}
      {!areCommentsOpen && post.comment_count > 0 && (
        <button
          type="button"
          onClick={() => showComments(true)}
          {...preloadsComments}
          className="-mx-2 rounded-sm px-2 py-1 text-[14px] text-quiet hover:text-ink"
        >
          {texts.post.viewComments(post.comment_count)}
        </button>
      )}
      {areCommentsOpen && <Comments id={commentsId} post={post} isAsked={isAsked} />}
      {!areCommentsOpen && hasPendingComments && (
        <PendingComments postId={post.id} onEdit={() => showComments(true)} />
      )}
    </article>
  )
}
