import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Spinner } from '#/renderer/components/Spinner'
import { mute } from '#/renderer/lib/browser/sound-store'
import { hasTooManyPixels } from '#/renderer/lib/media/video/video-pixels'
import { loadVideo, type VideoLink } from './load-video'
import { keepTime, keptTime, setPaused } from './playing-store'

interface VideoProps {
  link: VideoLink
  alt: string
  isPlaying: boolean
  isMuted: boolean
  /** Of its speed. */
  rate: number
  onElement: (element: HTMLVideoElement | null) => void
  /** Called for a link that cannot be loaded, with the time that was reached. */
  onError: (at: number) => void
  onBroken: () => void
  onEnded: () => void
}

/** The element that holds the decoder. It goes on where the video was left, and frees the decoder when it goes. */
export function Video({
  link,
  alt,
  isPlaying,
  isMuted,
  rate,
  onElement,
  onError,
  onBroken,
  onEnded,
}: VideoProps) {
  const client = useQueryClient()
  // A new link would start the video again.
  const [loaded] = useState(link)
  const { path } = loaded
  const [isShown, setIsShown] = useState(false)
  const [isWaiting, setIsWaiting] = useState(true)
  const element = useRef<HTMLVideoElement>(null)
  const handleRefused = useEffectEvent(onBroken)
  const handleFailed = useEffectEvent((video: HTMLVideoElement) => {
    keepTime(path, Math.max(video.currentTime, keptTime(path)))
    onError(video.currentTime)
  })
  const attach = useCallback(
    (video: HTMLVideoElement) => {
      element.current = video
      onElement(video)
      const release = loadVideo(client, video, loaded, {
        onRefused: () => handleRefused(),
        onFailed: () => handleFailed(video),
      })
      return () => {
        if (!video.ended && video.readyState > 0) keepTime(path, video.currentTime)
        release()
        onElement(null)
      }
    },
    [client, loaded, path, onElement],
  )
  useEffect(() => {
    const video = element.current
    if (video === null) return
    if (!isPlaying) return video.pause()
    video.play().catch(async (cause: unknown) => {
      // A pause interrupts it.
      if (!(cause instanceof DOMException) || cause.name !== 'NotAllowedError' || video.muted) return
      // Without a click on the page there is no sound.
      mute()
      video.muted = true
      await video.play().catch(() => undefined)
    })
  }, [isPlaying])
  useEffect(() => {
    if (element.current !== null) element.current.playbackRate = rate
  }, [rate])
  return (
    <>
      <video
        ref={attach}
        aria-label={alt}
        muted={isMuted}
        playsInline
        disableRemotePlayback
        preload="metadata"
        onLoadedMetadata={({ currentTarget: video }) => {
          const at = keptTime(path)
          if (at > 0 && at < video.duration) video.currentTime = at
        }}
        onLoadedData={() => setIsShown(true)}
        onPlaying={() => setIsWaiting(false)}
        onWaiting={() => setIsWaiting(true)}
        onPause={({ currentTarget: video }) => {
          // By a key of the keyboard or the system.
          if (isPlaying && !video.ended) setPaused(true)
        }}
        onPlay={({ currentTarget: video }) => {
          if (isPlaying) return
          video.pause()
          setPaused(false)
        }}
        onResize={({ currentTarget: video }) => {
          // The size can grow in the middle of a video.
          if (hasTooManyPixels(video)) onBroken()
        }}
        onEnded={onEnded}
        onError={({ currentTarget }) => handleFailed(currentTarget)}
        className={`absolute inset-0 size-full object-contain transition-opacity duration-150 ${isShown ? 'bg-black' : 'opacity-0'}`}
      />
      {isWaiting && isPlaying && (
        // Delayed: most videos start faster.
        <span className="pointer-events-none absolute inset-0 grid animate-appear place-items-center text-white [animation-delay:400ms] [animation-fill-mode:backwards]">
          <Spinner size={34} />
        </span>
      )}
    </>
  )
}
