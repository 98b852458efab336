import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { followMuted } from '#/renderer/lib/browser/sound-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { STALE } from '#/renderer/lib/queries/query-client'
import { sessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { postOptions } from '../queries'
import { loadVideo, type VideoLink } from './load-video'
import { keepTime, setInPicture } from './playing-store'

/** How often the server is asked whether the member may still see the post, in milliseconds: its media are loaded. */
const ASK_MS = 30_000

interface OpenVideo {
  me: string
  postId: string
  link: VideoLink
  hasSound: boolean
  /** The element on the page, which it continues. */
  from: HTMLVideoElement
}

/**
 * Plays a video in a window of its own, which stays when its post leaves the list: so it has an element that is not on the page. Ends with
 * the session, and when the post is deleted or hidden, also by others.
 */
export async function openPictureInPicture(client: QueryClient, video: OpenVideo): Promise<void> {
  const { me, postId, link, hasSound, from } = video
  const { path } = link
  const element = document.createElement('video')
  const start = from.currentTime
  let fail = (_: unknown): void => closePictureInPicture()
  const release = loadVideo(client, element, link, {
    onRefused: () => fail(new Error('refused')),
    onFailed: () => fail(new Error('not loaded')),
  })
  element.playbackRate = from.playbackRate
  element.muted = from.muted
  try {
    await new Promise<void>((resolve, reject) => {
      fail = reject
      element.addEventListener(
        'loadedmetadata',
        () => {
          // Before a stream begins to read.
          element.currentTime = start
          resolve()
        },
        { once: true },
      )
      element.addEventListener('error', () => reject(element.error), { once: true })
    })
    fail = closePictureInPicture
    await element.requestPictureInPicture()
  } catch (cause) {
    logFailure('picture in picture', cause)
    return release()
  }
  setInPicture(path)
  const ending = new AbortController()
  const { signal } = ending
  const observer = new QueryObserver(client, {
    ...postOptions(client, me, postId),
    staleTime: STALE.immutable,
    refetchInterval: ASK_MS,
    refetchIntervalInBackground: true,
  })
  const stops = [
    followMuted((isMuted) => {
      element.muted = isMuted || !hasSound
    }),
    observer.subscribe(({ data }) => {
      if (data === null) closePictureInPicture()
    }),
    sessionStatus.subscribe(closePictureInPicture),
  ]
  element.addEventListener('error', closePictureInPicture, { signal })
  element.addEventListener('timeupdate', () => keepTime(path, element.currentTime), { signal })
  const handleLeave = () => {
    ending.abort()
    for (const stop of stops) stop()
    keepTime(path, element.ended ? Number.POSITIVE_INFINITY : element.currentTime)
    release()
    setInPicture(null)
  }
  element.addEventListener('leavepictureinpicture', handleLeave, { signal })
  await element.play().catch((cause: unknown) => logFailure('picture in picture', cause))
}

export function closePictureInPicture(): void {
  if (document.pictureInPictureElement === null) return
  document.exitPictureInPicture().catch((cause: unknown) => logFailure('picture in picture', cause))
}
