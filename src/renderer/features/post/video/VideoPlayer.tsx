import { useQueryClient } from '@tanstack/react-query'
import { Play, RotateCcw } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { usePreferences } from '#/renderer/features/desktop'
import { useMuted } from '#/renderer/lib/browser/sound-store'
import { useIsVisible } from '#/renderer/lib/browser/visibility'
import { fittedCorner, fittedStyle } from '#/renderer/lib/layout/photo-frame'
import { useIsMotionReduced } from '#/renderer/lib/layout/reduced-motion'
import { isRefusedVideo, type StoredMedia, type StoredVideo, useMediaUrls } from '#/renderer/lib/media-store'
import { useIsOnline } from '#/renderer/lib/queries/useIsOnline'
import { texts } from '#/renderer/lib/texts'
import { videoPlayer as words } from '#/renderer/lib/texts/later/video-player'
import { videoPreference } from '#/shared/preferences'
import { useFullScreen } from '../useFullScreen'
import { useIdleMark } from '../useIdleMark'
import { Captions } from './Captions'
import type { VideoLink } from './load-video'
import { closePictureInPicture, openPictureInPicture } from './picture-in-picture'
import { actionOf } from './playing'
import {
  keepTime,
  keptTime,
  setPaused,
  startPlaying,
  stopPlaying,
  usePlayer,
  usePlaying,
} from './playing-store'
import { Video } from './Video'
import { VideoControls } from './VideoControls'

/** How far the arrow keys seek, in seconds. */
const SEEK = 5
/** A link that fails again after fewer seconds of the video is not signed again. */
const RETRY_AFTER = 30

export interface VideoPlayerProps {
  postId: string
  photo: StoredMedia
  video: StoredVideo
  alt: string
  /** The post has no other media, whose dots would be below it. */
  isAlone: boolean
  /** In the middle of the light table, where it has been opened. */
  isOnTable?: boolean
}

/** The player of a video over its cover, in the same frame. */
export function VideoPlayer(props: VideoPlayerProps) {
  const { path } = props.video
  const { links, isPending, isError, signAgain } = useMediaUrls([path])
  const link = links[path]
  return (
    <Player
      {...props}
      link={link && { ...link, path }}
      isRefused={!isPending && !isError && link === undefined}
      signAgain={signAgain}
    />
  )
}

interface PlayerProps extends VideoPlayerProps {
  /** Undefined while it is being signed, and if the member may not see the video. */
  link: VideoLink | undefined
  /** The server has no link: the video is deleted, or hidden from the member. */
  isRefused: boolean
  signAgain: () => Promise<unknown>
}

type State = 'ready' | 'ended' | 'broken' | 'offline'

function Player({
  postId,
  photo,
  video,
  alt,
  isAlone,
  isOnTable = false,
  link,
  isRefused,
  signAgain,
}: PlayerProps) {
  const { path, durationMs, hasSound } = video
  const id = useId()
  const client = useQueryClient()
  const { id: me } = useMe()
  const group = useRef<HTMLDivElement>(null)
  const [element, setElement] = useState<HTMLVideoElement | null>(null)
  const [state, setState] = useState<State>(() => {
    if (isRefusedVideo(client, path)) return 'broken'
    return keptTime(path) === Number.POSITIVE_INFINITY ? 'ended' : 'ready'
  })
  /** A link that has expired is signed again, in another element. */
  const [attempt, setAttempt] = useState(1)
  const failedAt = useRef(Number.NEGATIVE_INFINITY)
  const isOnline = useIsOnline()
  const isVisible = useIsVisible()
  const playsByItself = usePlaysByItself(isOnTable) && state === 'ready' && link !== undefined && isOnline
  usePlayer(id, group, playsByItself)
  const isCurrent = usePlaying(({ current }) => current === id)
  const isPaused = usePlaying((playing) => playing.isPaused)
  const isInPicture = usePlaying(({ inPicture }) => inPicture === path)
  const areCaptionsShown = usePlaying((playing) => playing.areCaptionsShown)
  const [isMuted, toggleSound] = useMuted()
  const [rate, setRate] = useState(1)
  const fullScreen = useFullScreen(group)
  useIdleMark(group)
  const isPlaying = isCurrent && !isPaused && isVisible

  const focus = () => group.current?.focus({ preventScroll: true })
  const start = () => {
    if (keptTime(path) === Number.POSITIVE_INFINITY) keepTime(path, 0)
    closePictureInPicture()
    if (!isOnline) return setState('offline')
    setState('ready')
    failedAt.current = Number.NEGATIVE_INFINITY
    if (link === undefined) void signAgain()
    startPlaying(id)
    focus()
  }
  const toggle = () => {
    if (isCurrent) setPaused(!isPaused)
    else start()
  }
  const toggleCaptions = () => usePlaying.setState({ areCaptionsShown: !areCaptionsShown })
  const seek = (by: number) => {
    if (element !== null) element.currentTime = Math.max(0, element.currentTime + by)
  }
  const actions = {
    toggle,
    sound: hasSound ? toggleSound : null,
    captions: video.hasCaptions ? toggleCaptions : null,
    back: isCurrent ? () => seek(-SEEK) : null,
    ahead: isCurrent ? () => seek(SEEK) : null,
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const { altKey, ctrlKey, metaKey, shiftKey, key, target } = event
    if (altKey || ctrlKey || metaKey || shiftKey) return
    const action = actionOf({ key, target })
    const act = action === null ? null : actions[action]
    // The carousel would take the arrows of the slider.
    if (act !== null || (target !== event.currentTarget && key.startsWith('Arrow'))) event.stopPropagation()
    if (act === null) return
    event.preventDefault()
    if (!event.repeat || action === 'back' || action === 'ahead') act()
  }
  const handleClick = ({ target }: MouseEvent) => {
    // Elsewhere a click opens the post.
    const isPressed = isOnTable || fullScreen.isOn
    if (isPressed && target instanceof Element && target.closest('button, [data-player-bar]') === null)
      toggle()
  }

  const stop = (why: State) => {
    setState(why)
    stopPlaying(id)
    if (fullScreen.isOn) fullScreen.toggle()
  }
  const handleError = (at: number) => {
    if (!isOnline) return stop('offline')
    if (at - failedAt.current < RETRY_AFTER) return stop('broken')
    failedAt.current = at
    void signAgain().then(() => setAttempt((count) => count + 1))
  }
  const handleEnded = () => {
    keepTime(path, Number.POSITIVE_INFINITY)
    stop('ended')
  }

  const shown = state === 'offline' && isOnline ? 'ready' : state
  const notice = isRefused ? words.gone : NOTICES[shown]
  const { bottom } = fittedCorner(photo, isOnTable)
  /** What the dots cover, as CSS. */
  const dots = isAlone || fullScreen.isOn ? '0px' : `max(0px, 24px - ${bottom})`
  return (
    // biome-ignore lint/a11y/useSemanticElements: its controls are no fields of a form.
    <div
      ref={group}
      role="group"
      aria-label={words.label(alt, durationMs / 1_000)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it has keys.
      tabIndex={0}
      data-player={isPlaying ? 'playing' : 'still'}
      onKeyDown={handleKeyDown}
      onClick={handleClick}
      style={fittedStyle(photo)}
      className={`scheme-dark absolute inset-0 overflow-clip [&:fullscreen]:bg-black ${isOnTable ? '-outline-offset-2 m-auto' : 'my-auto rounded-sm'}`}
    >
      {isCurrent && link !== undefined && (
        <Video
          key={attempt}
          link={link}
          alt={alt}
          isPlaying={isPlaying}
          // Its file may have sound all the same.
          isMuted={isMuted || !hasSound}
          rate={rate}
          onElement={setElement}
          onError={handleError}
          onBroken={() => stop('broken')}
          onEnded={handleEnded}
        />
      )}
      {!isCurrent && !isInPicture && (
        <>
          {!isRefused && shown !== 'broken' && (
            <button
              type="button"
              aria-label={shown === 'ended' ? words.playAgain : words.play}
              title={shown === 'ended' ? words.playAgain : words.play}
              onClick={start}
              className="absolute inset-0 m-auto grid size-14 place-items-center rounded-full bg-black/60 text-white transition-colors hover:bg-black/80 forced-colors:border"
            >
              {shown === 'ended' ? (
                <RotateCcw aria-hidden="true" className="size-6" />
              ) : (
                <Play aria-hidden="true" className="size-6 translate-x-0.5 fill-current" />
              )}
            </button>
          )}
          {notice === null && (
            <span
              aria-hidden="true"
              dir="ltr"
              style={{ bottom: dots }}
              className="pointer-events-none absolute end-0 m-2 rounded-sm bg-black/70 px-1.5 py-0.5 font-medium text-[13px] text-white tabular-nums"
            >
              {words.clock(durationMs / 1_000)}
            </span>
          )}
        </>
      )}
      {(notice !== null || isInPicture) && (
        <div
          role="status"
          style={{ paddingBottom: `calc(12px + ${dots})` }}
          className="absolute inset-x-0 bottom-0 grid justify-items-center gap-2 bg-black/75 p-3 text-center text-[14px] text-white"
        >
          {notice ?? words.inPicture}
          {isInPicture && (
            <button
              type="button"
              onClick={start}
              className="h-8 rounded-md bg-white/20 px-3 font-semibold hover:bg-white/30 forced-colors:border"
            >
              {words.playHere}
            </button>
          )}
        </div>
      )}
      {isCurrent && element !== null && (
        <div className="absolute inset-x-0 bottom-0">
          {areCaptionsShown && video.hasCaptions && <Captions video={element} path={path} />}
          <VideoControls
            video={element}
            foot={dots}
            seconds={durationMs / 1_000}
            isPaused={isPaused}
            rate={rate}
            onRate={setRate}
            onToggle={toggle}
            sound={hasSound ? { isMuted, onToggle: toggleSound } : null}
            captions={video.hasCaptions ? { areShown: areCaptionsShown, onToggle: toggleCaptions } : null}
            onPictureInPicture={
              document.pictureInPictureEnabled && link !== undefined
                ? () => void openPictureInPicture(client, { me, postId, link, hasSound, from: element })
                : null
            }
            fullScreen={{ isOn: fullScreen.isOn, onToggle: fullScreen.toggle }}
            onFocusLost={focus}
          />
        </div>
      )}
    </div>
  )
}

const NOTICES: Readonly<Record<State, string | null>> = {
  ready: null,
  ended: null,
  broken: texts.stories.notShown,
  offline: words.offline,
}

/** Whether videos play by themselves here and now. What is opened is wanted, also while data is saved. */
function usePlaysByItself(isOnTable: boolean): boolean {
  const [preferences] = usePreferences()
  const preference = videoPreference(preferences, useIsMotionReduced())
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return (
    preference === 'always' || (preference === 'saveData' && (isOnTable || connection?.saveData !== true))
  )
}
