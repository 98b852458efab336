import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Picture } from '#/renderer/components/Picture'
import { Spinner } from '#/renderer/components/Spinner'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { creditOf } from '#/renderer/lib/content/picture-credit'
import { hasTooManyPixels } from '#/renderer/lib/media/video/video-pixels'
import { objectOptions, placeholderOf, useMediaUrls } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { STORY_SIZES, type Story, useMedia, useThumbnail } from '../queries'
import { Backdrop, MEDIA_CLASS } from './StoryFrame'

interface StoryMediaProps {
  story: Story
  /** The video seeks to this time after a jump. */
  elapsedMs: number
  /** Number of jumps so far. */
  jumps: number
  isPlaying: boolean
  isReady: boolean
  isMuted: boolean
  onReady: (isReady: boolean) => void
}

/** The media of a story: its thumbnail until the picture or video is loaded, on a blurred backdrop. */
export function StoryMedia({ story, isReady, onReady, ...playing }: StoryMediaProps) {
  const thumbnail = useThumbnail(story)
  const { media, isError, refetch } = useMedia(story)
  const [isBroken, setIsBroken] = useState(false)
  // A ThumbHash is blurred already. Decoded once, because the playback renders ten times a second.
  const placeholder = useMemo(() => placeholderOf(story.thumbhash), [story.thumbhash])
  const source = thumbnail ?? (media?.kind === 'image' ? media.source : null)
  const backdrop = source?.kind === 'inline' ? (source.url ?? source.preview) : source && placeholder
  const poster = usePoster(story)
  const name = texts.stories.by(story.author.username)

  // The progress continues, so that playback moves past media that cannot be shown.
  const handleBroken = () => {
    setIsBroken(true)
    onReady(true)
  }

  return (
    <>
      {backdrop !== null && <Backdrop thumbnail={backdrop} />}
      {thumbnail !== null && (
        <Picture source={thumbnail} alt="" sizes={STORY_SIZES} fit="contain" className={MEDIA_CLASS} />
      )}
      {media?.kind === 'image' && (
        <Picture
          {...creditOf(story.author.username, story.created_at)}
          source={media.source}
          alt={name}
          sizes={STORY_SIZES}
          fit="contain"
          onLoad={() => onReady(true)}
          onBroken={handleBroken}
          className={MEDIA_CLASS}
        />
      )}
      {media?.kind === 'video' && (
        <StoryVideo
          video={media.video}
          poster={poster}
          name={name}
          onReady={onReady}
          onExpired={refetch}
          onBroken={handleBroken}
          {...playing}
        />
      )}
      {media?.kind === 'refused' && <Refused onShown={handleBroken} />}
      {isBroken && (
        <MediaNotice>{story.kind === 'image' ? texts.pictureNotShown : texts.stories.notShown}</MediaNotice>
      )}
      {media === null && <Unavailable onShown={() => onReady(true)} />}
      {isError && (
        <MediaNotice>
          {texts.stories.notLoaded}
          <Button onClick={refetch} className="mt-4">
            {texts.tryAgain}
          </Button>
        </MediaNotice>
      )}
      {!isReady && !isError && playing.isPlaying && (
        // Delayed: most media load faster.
        <span className="absolute inset-0 grid animate-appear place-items-center [animation-delay:400ms] [animation-fill-mode:backwards]">
          <Spinner size={34} />
        </span>
      )}
    </>
  )
}

/** The poster of a video in Storage; undefined while it is loaded. */
function usePoster({ kind, poster_path, expires_at }: Story): string | undefined {
  const path = kind === 'video' ? poster_path : null
  const { links } = useMediaUrls(path === null ? [] : [path])
  const link = path === null ? undefined : links[path]
  const { data } = useQuery({
    ...objectOptions(useQueryClient(), { path: path ?? '', use: 'poster' }, expires_at),
    enabled: link?.isChecked === false,
  })
  return link?.isChecked === true ? link.url : data?.url
}

function MediaNotice({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 grid place-items-center bg-black/60 p-8 text-center">
      <div className="grid justify-items-center">{children}</div>
    </div>
  )
}

/** Shown instead of a deleted or hidden story, for as long as the story would have been. */
export function Unavailable({ onShown }: { onShown: () => void }) {
  const handleShown = useEffectEvent(onShown)
  useEffect(() => handleShown(), [])
  return (
    <MediaNotice>
      <p className="font-display text-[22px]">{texts.stories.goneTitle}</p>
      <p className="mt-1.5 text-white/75">{texts.stories.goneBody}</p>
    </MediaNotice>
  )
}

/** Reports media that must not be shown. */
function Refused({ onShown }: { onShown: () => void }) {
  const handleShown = useEffectEvent(onShown)
  useEffect(() => handleShown(), [])
  return null
}

interface StoryVideoProps
  extends Pick<StoryMediaProps, 'elapsedMs' | 'jumps' | 'isPlaying' | 'isMuted' | 'onReady'> {
  video: Blob | string
  poster: string | undefined
  name: string
  /** Called for a link that cannot be loaded, once. */
  onExpired: () => void
  onBroken: () => void
}

/** A shorter video stops at its end, in seconds: it would begin again before the progress has gone on, and keep the page busy. */
const SHORTEST_LOOP = 0.5

/**
 * A video controlled by the progress: it pauses and seeks with it, and loops if it is short. A video in Storage starts before it is
 * loaded.
 */
function StoryVideo({
  video: source,
  poster,
  name,
  elapsedMs,
  jumps,
  isPlaying,
  isMuted,
  onReady,
  onExpired,
  onBroken,
}: StoryVideoProps) {
  const url = useLocalUrl(source)
  const hasExpired = useRef(false)
  const element = useRef<HTMLVideoElement>(null)

  useEffect(() => {
    const video = element.current
    if (video === null || url === null) return
    // Rejected by the browser or interrupted by a pause: the video stops, and the progress waits.
    if (isPlaying) video.play().catch(() => undefined)
    else video.pause()
  }, [isPlaying, url])

  const jump = useEffectEvent(() => {
    const video = element.current
    if (video === null) return
    const target = elapsedMs / 1_000
    const { duration } = video
    video.currentTime = Number.isFinite(duration) && duration > 0 ? target % duration : target
  })
  useEffect(() => {
    if (jumps > 0) jump()
  }, [jumps])

  const handleError = () => {
    if (hasExpired.current || source instanceof Blob) return onBroken()
    hasExpired.current = true
    onExpired()
  }

  // The size can grow in the middle of a video.
  const handleResize = ({ currentTarget: video }: { currentTarget: HTMLVideoElement }) => {
    if (!hasTooManyPixels(video)) return
    // Frees what the decoder holds.
    video.removeAttribute('src')
    video.load()
    onBroken()
  }

  if (url === null) return null
  return (
    <video
      ref={element}
      src={url}
      poster={poster}
      aria-label={name}
      muted={isMuted}
      playsInline
      preload={source instanceof Blob ? 'auto' : 'metadata'}
      onDurationChange={({ currentTarget: video }) => {
        video.loop = !(video.duration < SHORTEST_LOOP)
      }}
      onPlaying={() => onReady(true)}
      onWaiting={() => onReady(false)}
      onResize={handleResize}
      onError={handleError}
      className={MEDIA_CLASS}
    />
  )
}
