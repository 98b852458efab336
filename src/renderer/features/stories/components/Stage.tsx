import {
  type Dispatch,
  type RefCallback,
  useCallback,
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useState,
} from 'react'
import { usePreferences } from '#/renderer/features/desktop'
import { isTyping } from '#/renderer/lib/browser/shortcuts'
import { useMuted } from '#/renderer/lib/browser/sound-store'
import { useIsVisible } from '#/renderer/lib/browser/visibility'
import { texts } from '#/renderer/lib/texts'
import { STORY } from '#/shared/limits'
import type { StoryGroup } from '../model'
import {
  currentStory,
  type Direction,
  followingMember,
  isHeld,
  neighbour,
  neighbourMember,
  type Playback,
  type PlaybackEvent,
  type PlayedStory,
  playbackReducer,
  shownMs,
  startPlayback,
} from '../playback'
import { type Story, usePrefetchedMedia } from '../queries'
import { CurrentStory } from './CurrentStory'
import { Neighbours } from './Neighbours'
import { StoryFrame } from './StoryFrame'

/** As tall as the window allows; the whole window if it is narrow. */
const FRAME_CLASS =
  '@container-size m-auto h-[calc(100dvh-40px-var(--banner-height))] max-h-[calc((100vw-136px)*16/9)] aspect-9/16 rounded-lg max-sm:h-full max-sm:max-h-none max-sm:w-full max-sm:rounded-none'

interface StageProps {
  groups: readonly StoryGroup<Story>[]
  startId: string
  onShow: (id: string) => void
  onClose: () => void
}

/** Plays stories one after the other, and handles taps and keys. */
export function Stage({ groups, startId, onShow, onClose }: StageProps) {
  const [stories] = useState(() => groups.flatMap((group) => group.stories))
  const [{ playStoriesOn }] = usePreferences()
  const [playback, dispatch] = usePlayback(
    stories.map(({ id, user_id, kind, isSeen }) => ({ id, memberId: user_id, kind, wasSeen: isSeen })),
    startId,
    playStoriesOn,
  )
  const [isMuted, handleToggleSound] = useMuted()
  const currentId = currentStory(playback)?.id
  const story = stories.find(({ id }) => id === currentId)

  const handleChange = useEffectEvent((id: string | undefined) => {
    if (id === undefined) onClose()
    else onShow(id)
  })
  useEffect(() => handleChange(currentId), [currentId])

  const isPaused = playback.holds.includes('paused')
  const handleTogglePause = () => dispatch({ type: isPaused ? 'release' : 'hold', by: 'paused' })
  useStoryKeys({
    dispatch,
    onTogglePause: handleTogglePause,
    onToggleSound: handleToggleSound,
    isCovered: playback.holds.includes('covered'),
  })
  const tapRef = useTaps<HTMLDivElement>({
    onTap: (side) => dispatch({ type: 'tap', side }),
    onPress: () => dispatch({ type: 'hold', by: 'pressed' }),
    onRelease: () => dispatch({ type: 'release', by: 'pressed' }),
    onCollapse: () => {
      const isReading = playback.holds.includes('reading')
      if (isReading) dispatch({ type: 'release', by: 'reading' })
      return isReading
    },
  })
  const next = neighbour(playback, 'next')
  const beyond = neighbourMember(playback, 'next')
  // The first story is decoded and painted alone: other pictures wait until it plays.
  const [isOpening, setIsOpening] = useState(true)
  if (isOpening && (playback.elapsedMs > 0 || currentId !== startId)) setIsOpening(false)
  // Videos of the next member are too large to prefetch.
  const ahead = isOpening ? [] : [next?.id, beyond?.kind === 'image' ? beyond.id : undefined]
  usePrefetchedMedia(stories.filter(({ id }) => ahead.includes(id)))

  if (story === undefined) return null
  return (
    <div ref={tapRef} className="grid h-full touch-manipulation">
      <StoryFrame className={FRAME_CLASS}>
        <CurrentStory
          key={story.id}
          story={story}
          playback={playback}
          dispatch={dispatch}
          isMuted={isMuted}
          isPaused={isPaused}
          onTogglePause={handleTogglePause}
          onToggleSound={handleToggleSound}
        />
        <FollowedBy stories={stories} playback={playback} />
      </StoryFrame>
      {DIRECTIONS.map((to) => (
        <Neighbours
          key={to}
          to={to}
          stories={stories}
          current={story}
          hasThumbnails={!isOpening}
          playback={playback}
          dispatch={dispatch}
        />
      ))}
    </div>
  )
}

/** How long before its end a member's last story says whose follow, in milliseconds. */
const ANNOUNCED_MS = 2_000

interface FollowedByProps {
  stories: readonly Story[]
  playback: Playback
}

/** 'Next: name', shortly before another member's stories follow by themselves. */
function FollowedBy({ stories, playback }: FollowedByProps) {
  const played = currentStory(playback)
  const following = followingMember(playback)
  const story = stories.find(({ id }) => id === following?.id)
  if (played === undefined || story === undefined) return null
  if (shownMs(played.kind) - playback.elapsedMs > ANNOUNCED_MS) return null
  return (
    <p
      role="status"
      className="pointer-events-none absolute end-3 top-17 z-10 max-w-[calc(100%-1.5rem)] animate-appear truncate rounded-full bg-black/60 px-3 py-1 font-semibold text-[13px]"
    >
      {texts.stories.nextOf(story.author.username)}
    </p>
  )
}

const DIRECTIONS: readonly Direction[] = ['previous', 'next']

/** Plays the initial list of stories from the given one on. */
function usePlayback(
  stories: readonly PlayedStory[],
  startId: string,
  playsOn: boolean,
): [Playback, Dispatch<PlaybackEvent>] {
  const [playback, dispatch] = useReducer(playbackReducer, null, () =>
    startPlayback(stories, startId, playsOn),
  )
  const isRunning = playback.isReady && !playback.isOver && !isHeld(playback)

  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => dispatch({ type: 'tick' }), STORY.tickMs)
    return () => clearInterval(timer)
  }, [isRunning])

  const isVisible = useIsVisible()
  useEffect(() => dispatch({ type: isVisible ? 'release' : 'hold', by: 'hidden' }), [isVisible])

  return [playback, dispatch]
}

interface StoryKeysOptions {
  dispatch: Dispatch<PlaybackEvent>
  onTogglePause: () => void
  onToggleSound: () => void
  /** A dialog over the viewer handles the keys. */
  isCovered: boolean
}

/**
 * Handles the viewer's keys: the arrow keys are taps on that half, with Shift they lead to the next or previous member;
 * the space bar pauses, m toggles the sound. The dialog handles Escape.
 */
function useStoryKeys({ dispatch, onTogglePause, onToggleSound, isCovered }: StoryKeysOptions): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (isCovered || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const isRight = event.key === 'ArrowRight'
      dispatch(
        event.shiftKey
          ? { type: 'step-member', to: isRight ? 'next' : 'previous' }
          : { type: 'tap', side: isRight ? 'right' : 'left' },
      )
    } else if (event.key === ' ') {
      // The space bar presses a focused button or link.
      if (event.repeat || (event.target instanceof Element && event.target.closest('a, button') !== null))
        return
      onTogglePause()
    } else if (event.key === 'm' && !event.repeat) {
      onToggleSound()
    } else {
      return
    }
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** A longer press, in milliseconds, only pauses. */
const TAP_MS = 350
/** A press that moves further, in pixels, is not a tap. */
const TAP_REACH = 12

/** Elements that handle presses themselves. */
const CONTROLS = 'a, button, input, textarea, [data-press=own]'

interface TapHandlers {
  /** By half of the window (STORY-04). */
  onTap: (side: 'left' | 'right') => void
  onPress: () => void
  onRelease: () => void
  /** Called before a press starts. If it returns true, the press did something else and is ignored. */
  onCollapse: () => boolean
}

/** Handles taps and long presses on the element with this ref. */
function useTaps<T extends HTMLElement>(handlers: TapHandlers): RefCallback<T> {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  return useCallback((element: T | null) => {
    if (element === null) return
    let start: { x: number; y: number; at: number } | null = null

    const handleDown = (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary) return
      // A press outside a focused field only takes its focus away.
      if (isTyping(document.activeElement)) return
      if (event.target instanceof Element && event.target.closest(CONTROLS) !== null) return
      if (latest.current.onCollapse()) return
      start = { x: event.clientX, y: event.clientY, at: event.timeStamp }
      element.setPointerCapture(event.pointerId)
      latest.current.onPress()
    }
    const handleUp = (event: PointerEvent) => {
      if (start === null) return
      const { x, y, at } = start
      start = null
      latest.current.onRelease()
      const isNear = Math.hypot(event.clientX - x, event.clientY - y) <= TAP_REACH
      if (isNear && event.timeStamp - at <= TAP_MS)
        latest.current.onTap(event.clientX < window.innerWidth / 2 ? 'left' : 'right')
    }
    const handleCancel = () => {
      if (start === null) return
      start = null
      latest.current.onRelease()
    }
    element.addEventListener('pointerdown', handleDown)
    element.addEventListener('pointerup', handleUp)
    element.addEventListener('pointercancel', handleCancel)
    return () => {
      element.removeEventListener('pointerdown', handleDown)
      element.removeEventListener('pointerup', handleUp)
      element.removeEventListener('pointercancel', handleCancel)
    }
  }, [])
}
