import { Heart } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import { Picture } from '#/renderer/components/Picture'
import { texts } from '#/renderer/lib/texts'
import { useDoubleClick } from '#/renderer/lib/useDoubleClick'
import { feedPhotoSizes, type PostPhoto, photoFrame } from '../model'
import type { Post } from '../queries'

interface FeedPhotoProps {
  post: Post
  photo: PostPhoto
  onLike: () => void
}

/** A picture at its final size. Shows a placeholder until the picture is decoded. */
export function FeedPhoto({ post, photo, onLike }: FeedPhotoProps) {
  const [likes, setLikes] = useState(0)
  const frame = useDoubleClick<HTMLDivElement>(() => {
    onLike()
    setLikes(likes + 1)
  })
  const { ratio, isTall } = photoFrame(photo.width, photo.height)
  const start = isTall ? `max(0px, 50% - ${ratio / 2} * min(680px, 62vh))` : '0'
  return (
    <div className="relative">
      <div
        ref={frame}
        style={{ aspectRatio: ratio }}
        className="relative max-h-[min(680px,62vh)] w-full overflow-hidden bg-sunk"
      >
        <PostImage
          post={post}
          photo={photo}
          sizes={feedPhotoSizes(photo)}
          fit={isTall ? 'contain' : 'cover'}
          className="relative size-full"
        />
        {likes > 0 && (
          <Heart
            key={likes}
            aria-hidden="true"
            className="pointer-events-none absolute inset-0 m-auto size-24 animate-heart fill-white stroke-none drop-shadow-lg"
          />
        )}
      </div>
      {photo.altText !== null && <AltText text={photo.altText} start={start} />}
    </div>
  )
}

interface PostImageProps extends Omit<ComponentProps<typeof Picture>, 'source' | 'alt' | 'width' | 'height'> {
  post: Post
  photo: PostPhoto
}

/** A post's picture with its alt text, at its final size while it loads. */
export function PostImage({ post, photo, ...rest }: PostImageProps) {
  return (
    <Picture
      source={photo.source}
      alt={photo.altText ?? texts.post.photoBy(post.author.username)}
      width={photo.width ?? undefined}
      height={photo.height ?? undefined}
      {...rest}
    />
  )
}

interface AltTextProps {
  text: string
  /** Distance of the picture's start and bottom edges from the element's, as CSS. */
  start?: string
  bottom?: string
}

/** Shows a picture's alt text on demand, at its lower edge. The parent element must be positioned. */
export function AltText({ text, start = '0', bottom = '0' }: AltTextProps) {
  const [isShown, setIsShown] = useState(false)
  const id = useId()
  return (
    <div
      style={{ insetInlineStart: start, bottom }}
      className="pointer-events-none absolute end-0 z-10 flex max-h-full items-end gap-2 p-2.5"
    >
      <button
        type="button"
        title={texts.post.altHint}
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        onClick={() => setIsShown(!isShown)}
        className="pointer-events-auto h-6 shrink-0 rounded-sm bg-black/70 px-1.5 font-semibold text-[11.5px] text-white tracking-wide hover:bg-black/85"
      >
        {texts.post.alt}
      </button>
      {isShown && (
        <p
          id={id}
          dir="auto"
          className="pointer-events-auto max-h-60 min-w-0 animate-appear overflow-y-auto whitespace-pre-line rounded-sm bg-black/80 px-3 py-2 text-[13.5px] text-white [overflow-wrap:anywhere]"
        >
          {text}
        </p>
      )}
    </div>
  )
}
