import { Heart } from 'lucide-react'
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { PhotoCarousel } from '#/renderer/components/PhotoCarousel'
import { FramedPhoto, PhotoFrame } from '#/renderer/components/PhotoFrame'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { creditOf } from '#/renderer/lib/content/picture-credit'
import { columnSizes, fittedCorner } from '#/renderer/lib/layout/photo-frame'
import type { StoredMedia } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { useCardState } from '../card-store'
import type { Post } from '../queries'
import type { VideoPlayerProps } from '../video/VideoPlayer'

export const VideoPlayer = lazyPart(
  () => import('../video/VideoPlayer'),
  'VideoPlayer',
  (_: VideoPlayerProps) => null,
)

interface FeedPhotosProps {
  post: Post
  media: readonly StoredMedia[]
  onOpen: () => void
  onLike: () => void
  /** Handlers of a pointer over the photos. */
  prefetch: Pick<ComponentProps<'div'>, 'onPointerEnter' | 'onPointerLeave'>
}

/** A post's photos at their final size. Each shows a placeholder until it is decoded. */
export function FeedPhotos({ post, media, onOpen, onLike, prefetch }: FeedPhotosProps) {
  const [likes, setLikes] = useState(0)
  const handleLike = () => {
    onLike()
    setLikes(likes + 1)
  }
  const frame = usePhotoClicks(onOpen, handleLike)
  return (
    <PhotoFrame ref={frame} photos={media} {...prefetch} className="cursor-pointer">
      <PostCarousel post={post} media={media}>
        {(photo) => (
          <FramedPhoto
            photo={photo}
            alt={altTextOf(post, photo)}
            sizes={columnSizes(photo)}
            data-feed-photo=""
            {...creditOf(post.author.username, post.created_at)}
            className="rounded-sm"
          >
            {photo.video !== null && (
              <VideoPlayer
                postId={post.id}
                photo={photo}
                video={photo.video}
                alt={altTextOf(post, photo)}
                isAlone={media.length === 1}
              />
            )}
            <AltText photo={photo} isAlone={media.length === 1} />
          </FramedPhoto>
        )}
      </PostCarousel>
      {likes > 0 && (
        <Heart
          key={likes}
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 m-auto size-24 animate-heart fill-white stroke-none drop-shadow-lg"
        />
      )}
    </PhotoFrame>
  )
}

/** The photo of a card that is in view: its carousel hides the others. */
export function visiblePhoto(card: Element): HTMLElement | null {
  const photos = [...card.querySelectorAll<HTMLElement>('[data-feed-photo]')]
  return photos.find((photo) => photo.closest('[inert]') === null) ?? null
}

/** How long a click waits for a second one before it opens the post, in milliseconds. */
const DOUBLE_CLICK_MS = 250
/** How long a second click still likes the post: systems let double clicks be this slow, in milliseconds. */
const SLOW_DOUBLE_CLICK_MS = 500

/** A click on the photos opens the post, and a double click likes it. Both actions also have a control. */
function usePhotoClicks(onOpen: () => void, onLike: () => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const open = useEffectEvent(onOpen)
  const like = useEffectEvent(onLike)
  useEffect(() => {
    const frame = element.current
    let timer: ReturnType<typeof setTimeout> | undefined
    let late: AbortController | undefined
    const isOnPhoto = ({ target }: Event) =>
      target instanceof Element &&
      target.closest('button, p, [data-player-bar]') === null &&
      document.fullscreenElement === null
    const handleClick = (event: MouseEvent) => {
      clearTimeout(timer)
      late?.abort()
      if (event.detail !== 1 || !isOnPhoto(event)) return
      timer = setTimeout(() => {
        late = takeNextClick(event, () => like())
        timer = setTimeout(() => late?.abort(), SLOW_DOUBLE_CLICK_MS - DOUBLE_CLICK_MS)
        open()
      }, DOUBLE_CLICK_MS)
    }
    const handleDoubleClick = (event: MouseEvent) => {
      if (isOnPhoto(event)) like()
    }
    frame?.addEventListener('click', handleClick)
    frame?.addEventListener('dblclick', handleDoubleClick)
    return () => {
      clearTimeout(timer)
      late?.abort()
      frame?.removeEventListener('click', handleClick)
      frame?.removeEventListener('dblclick', handleDoubleClick)
    }
  }, [])
  return element
}

/** How far apart the two clicks of a double click can be, in pixels. */
const DOUBLE_CLICK_REACH = 6
const CLICK_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const

/**
 * Calls back on a click at the same point, and keeps that click from other elements: the element that is there now has
 * just appeared.
 */
function takeNextClick(first: MouseEvent, onClick: () => void): AbortController {
  const listening = new AbortController()
  const handleEvent = (event: MouseEvent) => {
    const distance = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY)
    if (distance > DOUBLE_CLICK_REACH) return
    event.preventDefault()
    event.stopPropagation()
    if (event.type !== 'click') return
    listening.abort()
    onClick()
  }
  const { signal } = listening
  for (const type of CLICK_EVENTS) window.addEventListener(type, handleEvent, { capture: true, signal })
  return listening
}

interface PostCarouselProps extends Pick<FeedPhotosProps, 'post' | 'media'> {
  children: (photo: StoredMedia) => ReactNode
}

/** A post's photos beside each other. The list and the light table show the same one. */
export function PostCarousel({ post, media, children }: PostCarouselProps) {
  const [{ photo }, changeState] = useCardState(post.id)
  return (
    <PhotoCarousel
      count={media.length}
      videos={videosOf(media)}
      current={Math.min(photo, media.length - 1)}
      onChange={(index) => changeState({ photo: index })}
    >
      {(index) => {
        const shown = media[index]
        return shown && children(shown)
      }}
    </PhotoCarousel>
  )
}

/** Which of a post's media are videos. */
export function videosOf(media: readonly StoredMedia[]): boolean[] {
  return media.map(({ video }) => video !== null)
}

/** The accessible description of a post's photo or video. */
export function altTextOf(
  { author }: { author: Pick<Post['author'], 'username'> },
  { altText, video }: StoredMedia,
): string {
  return altText ?? (video === null ? texts.post.photoBy : texts.post.videoBy)(author.username)
}

/** Height of the dots with the space below them, in pixels. */
const DOTS = 24

interface AltTextProps {
  photo: StoredMedia
  /** The post has no other photos, whose dots would be below it. */
  isAlone: boolean
  /** The photo is in the middle of its frame. */
  isCentred?: boolean
}

/** Shows the alt text of a framed photo on demand, at its lower edge, or above the dots of several photos. */
export function AltText({ photo, isAlone, isCentred = false }: AltTextProps) {
  const [isShown, setIsShown] = useState(false)
  const id = useId()
  if (photo.altText === null) return null
  const { start, bottom } = fittedCorner(photo, isCentred)
  // A video has its controls at the lower edge.
  const edge =
    photo.video === null
      ? { bottom: isAlone ? bottom : `max(${DOTS}px, ${bottom})` }
      : { top: bottom, alignItems: 'start' }
  return (
    <div
      style={{ insetInlineStart: start, ...edge }}
      className="pointer-events-none absolute end-0 z-10 flex max-h-full items-end gap-2 p-2.5"
    >
      <button
        type="button"
        title={photo.video === null ? texts.post.altHint : texts.post.altOfVideoHint}
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
          {photo.altText}
        </p>
      )}
    </div>
  )
}
