import { Dialog } from 'radix-ui'
import { type Dispatch, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { StoryCaption, StoryFoot } from '../components/StoryCaption'
import { StoryFrame } from '../components/StoryFrame'
import { usePrefetchedMedia } from '../media'
import { type Story, useRecordViewMutation } from '../queries'
import type { StoryGroup } from '../strip/strip-order'
import { OwnerBar } from './OwnerBar'
import {
  currentStory,
  type Direction,
  isHeld,
  neighbour,
  neighbourMember,
  type Playback,
  type PlaybackEvent,
  progressOf,
} from './playback'
import { ReplyBar } from './ReplyBar'
import { StoryHeader } from './StoryHeader'
import { Gone, StoryMedia } from './StoryMedia'
import { useMuted } from './sound'
import { useGone } from './useGone'
import { usePlayback } from './usePlayback'
import { useStoryKeys } from './useStoryKeys'
import { useTaps } from './useTaps'
import { Ways } from './Ways'

/** The frame: as tall as the window allows; the whole window where that is narrow. */
const FRAME_CLASS =
  '@container-size m-auto h-[calc(100dvh-40px-var(--banner-height))] max-h-[calc((100vw-136px)*16/9)] aspect-9/16 rounded-lg max-sm:h-full max-sm:max-h-none max-sm:w-full max-sm:rounded-none'

interface StageProps {
  groups: readonly StoryGroup<Story>[]
  startId: string
  /** Another story is on screen. */
  onShow: (id: string) => void
  onClose: () => void
}

/** Plays stories one after the other, and hears taps and keys. */
export function Stage({ groups, startId, onShow, onClose }: StageProps) {
  const [stories] = useState(() => groups.flatMap((group) => group.stories))
  const [playback, dispatch] = usePlayback(
    stories.map(({ id, user_id, kind, isSeen }) => ({ id, memberId: user_id, kind, wasSeen: isSeen })),
    startId,
  )
  const [isMuted, handleToggleSound] = useMuted()
  const playedId = currentStory(playback)?.id
  const story = stories.find(({ id }) => id === playedId)

  const handlePlayed = useEffectEvent((id: string | undefined) => {
    if (id === undefined) onClose()
    else onShow(id)
  })
  useEffect(() => handlePlayed(playedId), [playedId])

  const isPaused = playback.holds.includes('paused')
  const handleTogglePause = () => dispatch({ type: isPaused ? 'release' : 'hold', by: 'paused' })
  useStoryKeys({
    dispatch,
    onTogglePause: handleTogglePause,
    onToggleSound: handleToggleSound,
    isCovered: playback.holds.includes('covered'),
  })
  const surface = useTaps<HTMLDivElement>({
    onTap: (side) => dispatch({ type: 'tap', side }),
    onPress: () => dispatch({ type: 'hold', by: 'pressed' }),
    onRelease: () => dispatch({ type: 'release', by: 'pressed' }),
    onLeave: () => {
      const isReading = playback.holds.includes('reading')
      if (isReading) dispatch({ type: 'release', by: 'reading' })
      return isReading
    },
  })
  const next = neighbour(playback, 'next')
  const beyond = neighbourMember(playback, 'next')
  // Of the next member nothing as large as a video, before one goes there.
  usePrefetchedMedia([next, beyond?.kind === 'image' ? beyond : undefined].flatMap((each) => each?.id ?? []))

  if (story === undefined) return null
  return (
    <div ref={surface} className="grid h-full touch-manipulation">
      <StoryFrame className={FRAME_CLASS}>
        <Played
          key={story.id}
          story={story}
          playback={playback}
          dispatch={dispatch}
          isMuted={isMuted}
          isPaused={isPaused}
          onTogglePause={handleTogglePause}
          onToggleSound={handleToggleSound}
        />
      </StoryFrame>
      {DIRECTIONS.map((to) => (
        <Ways key={to} to={to} stories={stories} shown={story} playback={playback} dispatch={dispatch} />
      ))}
    </div>
  )
}

const DIRECTIONS: readonly Direction[] = ['previous', 'next']

interface PlayedProps {
  story: Story
  playback: Playback
  dispatch: Dispatch<PlaybackEvent>
  isMuted: boolean
  isPaused: boolean
  onTogglePause: () => void
  onToggleSound: () => void
}

/** One story in the frame. */
function Played({ story, playback, dispatch, ...controls }: PlayedProps) {
  const { id: me } = useMe()
  const isMine = story.user_id === me
  const ids = playback.stories.flatMap(({ id, memberId }) => (memberId === story.user_id ? [id] : []))
  const { isGone, ask } = useGone(story)
  useRecordedView(story, playback, ask)
  const handleFlow = useCallback(
    (isFlowing: boolean) => dispatch({ type: 'flow', id: story.id, isFlowing }),
    [dispatch, story.id],
  )
  const handleWriting = useCallback(
    (isWriting: boolean) => dispatch({ type: isWriting ? 'hold' : 'release', by: 'reply' }),
    [dispatch],
  )
  const cover = (isCovered: boolean) => dispatch({ type: isCovered ? 'hold' : 'release', by: 'covered' })

  return (
    <>
      <Dialog.Title aria-live="polite" className="sr-only">
        {texts.stories.by(story.author.username)}
        {ids.length > 1 && `, ${texts.stories.position(ids.indexOf(story.id) + 1, ids.length)}`}
      </Dialog.Title>
      {isGone ? (
        <Gone onShown={() => handleFlow(true)} />
      ) : (
        <StoryMedia
          story={story}
          elapsedMs={playback.elapsedMs}
          jumps={playback.jumps}
          isPlaying={!isHeld(playback)}
          isFlowing={playback.isFlowing}
          isMuted={controls.isMuted}
          onFlow={handleFlow}
        />
      )}
      <StoryHeader story={story} ids={ids} progress={progressOf(playback)} {...controls} />
      <StoryFoot>
        {story.content !== null && !isGone && (
          <StoryCaption
            text={story.content}
            isOpen={playback.holds.includes('reading')}
            onToggle={(willBeOpen) => dispatch({ type: willBeOpen ? 'hold' : 'release', by: 'reading' })}
          />
        )}
        {isMine ? (
          <OwnerBar
            storyId={story.id}
            onCover={cover}
            onDeleted={() => dispatch({ type: 'removed', id: story.id })}
          />
        ) : (
          story.author.allow_story_replies && (
            <ReplyBar story={story} isGone={isGone} onWriting={handleWriting} onRefused={ask} />
          )
        )}
      </StoryFoot>
    </>
  )
}

/** Records once that the member has seen a story of somebody else: once it is really shown. */
function useRecordedView(story: Story, { isFlowing, holds }: Playback, onFailed: () => void): void {
  const { id: me } = useMe()
  const { mutate } = useRecordViewMutation()
  const isRecorded = useRef(false)
  const isShown = isFlowing && !holds.includes('hidden')
  useEffect(() => {
    if (!isShown || isRecorded.current || story.isSeen || story.user_id === me) return
    isRecorded.current = true
    mutate(story.id, { onError: onFailed })
  }, [isShown, story, me, mutate, onFailed])
}
