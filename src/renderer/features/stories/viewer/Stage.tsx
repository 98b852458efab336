import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type Dispatch, useCallback, useEffect, useRef, useState } from 'react'
import { IconButton } from '#/renderer/components/IconButton'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { StoryCaption, StoryFrame } from '../components/StoryFrame'
import { usePrefetchedMedia } from '../media'
import { type Story, useRecordViewMutation } from '../queries'
import type { StoryGroup } from '../strip/strip-order'
import { OwnerBar } from './OwnerBar'
import { currentStory, isHeld, neighbour, type Playback, type PlaybackEvent, progressOf } from './playback'
import { ReplyBar } from './ReplyBar'
import { StoryHeader } from './StoryHeader'
import { StoryMedia } from './StoryMedia'
import { usePlayback } from './usePlayback'
import { useStoryKeys } from './useStoryKeys'
import { useTaps } from './useTaps'

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
  const [isMuted, setIsMuted] = useState(true)
  const playedId = currentStory(playback)?.id
  const story = stories.find(({ id }) => id === playedId)

  const latest = useRef({ onShow, onClose })
  useEffect(() => {
    latest.current = { onShow, onClose }
  })
  useEffect(() => {
    if (playedId === undefined) latest.current.onClose()
    else latest.current.onShow(playedId)
  }, [playedId])

  const isPaused = playback.holds.includes('paused')
  const handleTogglePause = () => dispatch({ type: isPaused ? 'release' : 'hold', by: 'paused' })
  const handleToggleSound = () => setIsMuted(!isMuted)
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
  })
  const next = neighbour(playback, 'next')
  const previous = neighbour(playback, 'previous')
  usePrefetchedMedia(next === undefined ? [] : [next.id])

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
      {previous !== undefined && (
        <IconButton
          label={texts.stories.previous}
          onClick={() => dispatch({ type: 'step', to: 'previous' })}
          className={`left-3 sm:left-[max(12px,calc(50vw-50dvh*9/16-72px))] ${STEP_CLASS}`}
        >
          <ChevronLeft />
        </IconButton>
      )}
      {next !== undefined && (
        <IconButton
          label={texts.stories.next}
          onClick={() => dispatch({ type: 'step', to: 'next' })}
          className={`right-3 sm:right-[max(12px,calc(50vw-50dvh*9/16-72px))] ${STEP_CLASS}`}
        >
          <ChevronRight />
        </IconButton>
      )}
    </div>
  )
}

const STEP_CLASS =
  'absolute! top-1/2 z-10 -mt-5 rounded-full! bg-white/12 hover:bg-white/25! max-sm:bg-black/35'

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
  useRecordedView(story, playback)
  const handleFlow = useCallback(
    (isFlowing: boolean) => dispatch({ type: 'flow', id: story.id, isFlowing }),
    [dispatch, story.id],
  )
  const cover = (isCovered: boolean) => dispatch({ type: isCovered ? 'hold' : 'release', by: 'covered' })

  return (
    <>
      <Dialog.Title aria-live="polite" className="sr-only">
        {texts.stories.by(story.author.username)}
        {ids.length > 1 && `, ${texts.stories.position(ids.indexOf(story.id) + 1, ids.length)}`}
      </Dialog.Title>
      <StoryMedia
        story={story}
        elapsedMs={playback.elapsedMs}
        jumps={playback.jumps}
        isPlaying={!isHeld(playback)}
        isFlowing={playback.isFlowing}
        isMuted={controls.isMuted}
        onFlow={handleFlow}
      />
      <StoryHeader story={story} ids={ids} progress={progressOf(playback)} {...controls} />
      <div className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 via-black/50 via-65% to-transparent pt-20">
        {story.content !== null && <StoryCaption text={story.content} />}
        {isMine ? (
          <OwnerBar
            storyId={story.id}
            onCover={cover}
            onDeleted={() => dispatch({ type: 'removed', id: story.id })}
          />
        ) : (
          story.author.allow_story_replies && (
            <ReplyBar
              story={story}
              onWriting={(isWriting) => dispatch({ type: isWriting ? 'hold' : 'release', by: 'reply' })}
            />
          )
        )}
      </div>
    </>
  )
}

/** Records once that the member has seen a story of somebody else: once it is really shown. */
function useRecordedView(story: Story, { isFlowing, holds }: Playback): void {
  const { id: me } = useMe()
  const { mutate } = useRecordViewMutation()
  const isRecorded = useRef(false)
  const isShown = isFlowing && !holds.includes('hidden')
  useEffect(() => {
    if (!isShown || isRecorded.current || story.isSeen || story.user_id === me) return
    isRecorded.current = true
    mutate(story.id)
  }, [isShown, story, me, mutate])
}
