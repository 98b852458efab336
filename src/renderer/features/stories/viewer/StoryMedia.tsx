import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Spinner } from '#/renderer/components/Spinner'
import { useObjectUrl } from '#/renderer/lib/object-url'
import { texts } from '#/renderer/lib/texts'
import { Backdrop, MEDIA_CLASS } from '../components/StoryFrame'
import { useMediaQuery, useThumbnailQuery } from '../media'
import type { Story } from '../queries'

interface StoryMediaProps {
  story: Story
  /** Where the video should be after a jump. */
  elapsedMs: number
  /** Grows with each jump. */
  jumps: number
  isPlaying: boolean
  isFlowing: boolean
  isMuted: boolean
  onFlow: (isFlowing: boolean) => void
}

/** The media of a story: its still at once, then the picture or video itself, whole, on its own blurred colours. */
export function StoryMedia({ story, isFlowing, onFlow, ...playing }: StoryMediaProps) {
  const { data: thumbnail } = useThumbnailQuery(story.id)
  const { data: media, isError, refetch } = useMediaQuery(story.id)
  const [isBroken, setIsBroken] = useState(false)
  const still = thumbnail ?? (media?.kind === 'image' ? media.url : null)
  const name = texts.stories.by(story.author.username)

  // What cannot be shown says so for as long as it would have been shown, and is passed over.
  const handleBroken = () => {
    setIsBroken(true)
    onFlow(true)
  }

  return (
    <>
      {still !== null && <Backdrop still={still} />}
      {thumbnail != null && <img src={thumbnail} alt="" draggable={false} className={MEDIA_CLASS} />}
      {media?.kind === 'image' && (
        <img
          src={media.url}
          alt={name}
          draggable={false}
          onLoad={() => onFlow(true)}
          onError={handleBroken}
          className={MEDIA_CLASS}
        />
      )}
      {media?.kind === 'video' && (
        <Film video={media.video} name={name} onFlow={onFlow} onBroken={handleBroken} {...playing} />
      )}
      {isBroken && <Words>{texts.stories.notShown}</Words>}
      {media === null && <Gone onShown={() => onFlow(true)} />}
      {isError && (
        <Words>
          {texts.stories.notLoaded}
          <Button onClick={() => void refetch()} className="mt-4">
            {texts.tryAgain}
          </Button>
        </Words>
      )}
      {!isFlowing && !isError && playing.isPlaying && (
        // Not for the moment that most need.
        <span className="absolute inset-0 grid animate-appear place-items-center [animation-delay:400ms] [animation-fill-mode:backwards]">
          <Spinner size={34} />
        </span>
      )}
    </>
  )
}

function Words({ children }: { children: React.ReactNode }) {
  return (
    <div className="absolute inset-0 grid place-items-center bg-black/60 p-8 text-center">
      <div className="grid justify-items-center">{children}</div>
    </div>
  )
}

/** In place of a story that is not there any more, for as long as it would have been shown. */
export function Gone({ onShown }: { onShown: () => void }) {
  const handleShown = useEffectEvent(onShown)
  useEffect(() => handleShown(), [])
  return (
    <Words>
      <p className="font-display text-[22px]">{texts.stories.goneTitle}</p>
      <p className="mt-1.5 text-white/75">{texts.stories.goneBody}</p>
    </Words>
  )
}

interface FilmProps
  extends Pick<StoryMediaProps, 'elapsedMs' | 'jumps' | 'isPlaying' | 'isMuted' | 'onFlow'> {
  video: Blob
  name: string
  onBroken: () => void
}

/** A video that moves with the progress, not on its own: it stops and jumps with it, and begins anew when it is short. */
function Film({ video, name, elapsedMs, jumps, isPlaying, isMuted, onFlow, onBroken }: FilmProps) {
  const url = useObjectUrl(video)
  const element = useRef<HTMLVideoElement>(null)

  useEffect(() => {
    const film = element.current
    if (film === null || url === null) return
    // Refused or overtaken by the next pause: then it stands still, and the progress waits.
    if (isPlaying) film.play().catch(() => undefined)
    else film.pause()
  }, [isPlaying, url])

  const jump = useEffectEvent(() => {
    const film = element.current
    if (film === null) return
    const target = elapsedMs / 1_000
    const { duration } = film
    film.currentTime = Number.isFinite(duration) && duration > 0 ? target % duration : target
  })
  useEffect(() => {
    if (jumps > 0) jump()
  }, [jumps])

  if (url === null) return null
  return (
    <video
      ref={element}
      src={url}
      aria-label={name}
      muted={isMuted}
      loop
      playsInline
      preload="auto"
      onPlaying={() => onFlow(true)}
      onWaiting={() => onFlow(false)}
      onError={onBroken}
      className={MEDIA_CLASS}
    />
  )
}
