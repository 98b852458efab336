import { Heart } from 'lucide-react'
import { useState } from 'react'
import { useDoubleClick } from '#/renderer/lib/useDoubleClick'
import { photoFrame } from '../photo-frame'
import type { Post } from '../queries'
import { AltText } from './AltText'
import { PostImage } from './PostImage'

interface PostPhotoProps {
  post: Post
  /** The full picture, or its thumbnail until that is there. */
  picture: string
  onLike: () => void
}

/** The picture in its final size from the first frame on: the thumbnail stands in until the full one is decoded. */
export function PostPhoto({ post, picture, onLike }: PostPhotoProps) {
  const [likes, setLikes] = useState(0)
  const frame = useDoubleClick<HTMLDivElement>(() => {
    onLike()
    setLikes(likes + 1)
  })
  const { ratio, isTall } = photoFrame(post.image_width, post.image_height)
  const start = isTall ? `max(0px, 50% - ${ratio / 2} * min(680px, 62vh))` : '0'
  const fit = isTall ? 'object-contain' : 'object-cover'
  return (
    <div className="relative">
      <div
        ref={frame}
        style={{ aspectRatio: ratio }}
        className="relative max-h-[min(680px,62vh)] w-full overflow-hidden bg-sunk"
      >
        {post.thumbnail_url !== null && post.thumbnail_url !== picture && (
          <img
            src={post.thumbnail_url}
            alt=""
            aria-hidden="true"
            draggable={false}
            className={`absolute inset-0 size-full ${fit}`}
          />
        )}
        <PostImage post={post} src={picture} decoding="async" className={`relative size-full ${fit}`} />
        {likes > 0 && (
          <Heart
            key={likes}
            aria-hidden="true"
            className="pointer-events-none absolute inset-0 m-auto size-24 animate-heart fill-white stroke-none drop-shadow-lg"
          />
        )}
      </div>
      {post.alt_text !== null && <AltText text={post.alt_text} start={start} />}
    </div>
  )
}
