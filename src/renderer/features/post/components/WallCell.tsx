import { memo, useMemo } from 'react'
import { Picture } from '#/renderer/components/Picture'
import { creditOf } from '#/renderer/lib/content/picture-credit'
import { isFramedWhole } from '#/renderer/lib/layout/photo-rows'
import { type Post, usePostLinks, usePostMedia } from '../queries'
import { useListedPost } from '../useListedPost'
import { altTextOf, videosOf } from './FeedPhotos'
import { CellText, PostCell } from './PostCell'

interface WallCellProps {
  id: string
  /** Width divided by height of the first photo. */
  ratio: number
  /** In pixels. */
  width: number
  /** Ids of the wall's posts, in order. */
  list: readonly string[]
  /** Called when the post is deleted or hidden. Must be stable across renders. */
  onGone: (id: string) => void
}

/** A post on the wall. The cache drops posts far from the viewport, and loads them again. */
export const WallCell = memo(function WallCell({ id, onGone, ...rest }: WallCellProps) {
  const post = useListedPost(id, onGone)
  if (post == null) return <div className="size-full animate-breathe rounded-sm bg-lifted" />
  return <LoadedCell post={post} {...rest} />
})

interface LoadedCellProps extends Omit<WallCellProps, 'id' | 'onGone'> {
  post: Post
}

function LoadedCell({ post, ratio, width, list }: LoadedCellProps) {
  usePostLinks(post)
  const media = usePostMedia(post)
  const [photo] = media
  const { username } = post.author
  const known = useMemo(() => (media.length === 0 ? undefined : { username, media }), [username, media])
  return (
    <PostCell
      post={post}
      list={list}
      known={known}
      videos={videosOf(media)}
      durationMs={photo?.video?.durationMs ?? null}
    >
      {photo === undefined ? (
        <CellText>{post.content}</CellText>
      ) : (
        <Picture
          {...creditOf(username, post.created_at)}
          source={photo.source}
          alt={altTextOf(post, photo)}
          sizes={`${width}px`}
          fit={isFramedWhole(ratio) ? 'cover' : 'contain'}
          className="size-full"
        />
      )}
    </PostCell>
  )
}
