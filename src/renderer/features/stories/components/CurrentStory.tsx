import { useQueryClient } from '@tanstack/react-query'
import { Pause, Play, Volume2, VolumeX } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type Dispatch, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { IconButton } from '#/renderer/components/IconButton'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { useMe } from '#/renderer/features/auth'
import { ShareButton } from '#/renderer/features/sharing'
import { isLooking, onVisibility } from '#/renderer/lib/browser/visibility'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { texts } from '#/renderer/lib/texts'
import { dropFromStrip, useRecordViewMutation } from '../mutations'
import { isHeld, type Playback, type PlaybackEvent, progressOf } from '../playback'
import { removeMedia, type Story, useKnownStory } from '../queries'
import { OwnerBar } from './OwnerBar'
import { ReplyBar } from './ReplyBar'
import { StoryCaption, StoryFoot } from './StoryFrame'
import { StoryMedia, Unavailable } from './StoryMedia'

interface CurrentStoryProps {
  story: Story
  playback: Playback
  dispatch: Dispatch<PlaybackEvent>
  isMuted: boolean
  isPaused: boolean
  onTogglePause: () => void
  onToggleSound: () => void
}

/** The story on screen. */
export function CurrentStory({ story, playback, dispatch, ...controls }: CurrentStoryProps) {
  const { id: me } = useMe()
  const isMine = story.user_id === me
  const ids = playback.stories.flatMap(({ id, memberId }) => (memberId === story.user_id ? [id] : []))
  const { isUnavailable, check } = useAvailability(story)
  useRecordedView(story, playback, check)
  const handleReady = useCallback(
    (isReady: boolean) => dispatch({ type: 'media', id: story.id, isReady }),
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
      {isUnavailable ? (
        <Unavailable onShown={() => handleReady(true)} />
      ) : (
        <StoryMedia
          story={story}
          elapsedMs={playback.elapsedMs}
          jumps={playback.jumps}
          isPlaying={!isHeld(playback)}
          isReady={playback.isReady}
          isMuted={controls.isMuted}
          onReady={handleReady}
        />
      )}
      <StoryHeader
        story={story}
        ids={ids}
        progress={progressOf(playback)}
        isUnavailable={isUnavailable}
        onCover={cover}
        {...controls}
      />
      <StoryFoot>
        {story.content !== null && !isUnavailable && (
          <StoryCaption
            text={story.content}
            isOpen={playback.holds.includes('reading')}
            onToggle={(isOpen) => dispatch({ type: isOpen ? 'hold' : 'release', by: 'reading' })}
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
            <ReplyBar
              story={story}
              isUnavailable={isUnavailable}
              onWriting={handleWriting}
              onRefused={check}
            />
          )
        )}
      </StoryFoot>
    </>
  )
}

/** Records that the member has seen another member's story, once it is on screen. */
function useRecordedView(story: Story, { isReady, holds }: Playback, onFailed: () => void): void {
  const { id: me } = useMe()
  const { mutate } = useRecordViewMutation()
  const isRecorded = useRef(false)
  const isShown = isReady && !holds.includes('hidden')
  useEffect(() => {
    if (!isShown || isRecorded.current || story.isSeen || story.user_id === me) return
    isRecorded.current = true
    mutate(story.id, { onError: onFailed })
  }, [isShown, story, me, mutate, onFailed])
}

/**
 * Whether another member's story was deleted or hidden while it is open; an expired one plays to its end. There is no
 * live event for this: it is checked when the story opens, when the member returns to the window, and by `check`.
 */
export function useAvailability(story: Story): { isUnavailable: boolean; check: () => void } {
  const client = useQueryClient()
  const { id: me } = useMe()
  const isMine = story.user_id === me
  const { data, refetch } = useKnownStory(story.id)
  const [isUnavailable, setIsUnavailable] = useState(false)
  if (data === null && !isMine && !isUnavailable && Date.parse(story.expires_at) > serverNow())
    setIsUnavailable(true)

  const check = useCallback(() => void refetch(), [refetch])
  useEffect(() => {
    if (isMine) return
    return onVisibility(() => {
      if (isLooking()) check()
    })
  }, [isMine, check])
  useEffect(() => {
    if (!isUnavailable) return
    const { id, media_path, poster_path } = story
    dropFromStrip(client, id)
    return () => removeMedia(client, { id, media_path, poster_path })
  }, [client, isUnavailable, story])
  return { isUnavailable, check }
}

interface StoryHeaderProps {
  story: Story
  /** Ids of the member's stories, in order. */
  ids: readonly string[]
  /** Of the story on screen, from 0 to 1. */
  progress: number
  /** It was deleted or hidden. */
  isUnavailable: boolean
  /** A dialog opens or closes over the story. */
  onCover: (isCovered: boolean) => void
  isPaused: boolean
  isMuted: boolean
  onTogglePause: () => void
  onToggleSound: () => void
}

const BUTTON_CLASS = 'hover:bg-white/15!'

/** Over the media: progress, author and controls. */
function StoryHeader({ story, ids, progress, isUnavailable, onCover, ...controls }: StoryHeaderProps) {
  const { username } = story.author
  const position = ids.indexOf(story.id)
  const { isPaused, isMuted, onTogglePause, onToggleSound } = controls
  return (
    <header className="absolute inset-x-0 top-0 z-10 bg-[linear-gradient(to_top,transparent,#00000099_48px)] px-3.5 pt-3 pb-12">
      <div className="flex gap-1">
        {ids.map((id, index) => (
          <Segment
            key={id}
            progress={index < position ? 1 : index > position ? 0 : progress}
            isCurrent={index === position}
          />
        ))}
      </div>
      <div className="mt-2.5 flex items-center gap-2.5 max-sm:pe-10">
        <Link
          to={`/profile/${username}`}
          className="flex min-w-0 items-center gap-2.5 rounded-sm underline-offset-3 outline-white hover:underline"
        >
          <Avatar member={story.author} size={34} />
          <span className="truncate font-semibold text-[14px]">{username}</span>
        </Link>
        {/* In a zoomed window there is room for the name only. */}
        <RelativeTime
          at={story.created_at}
          className="shrink-0 text-[12.5px] text-white/90 @max-[300px]:sr-only"
        />
        <span className="ms-auto flex shrink-0">
          {!isUnavailable && (
            <ShareButton
              source={{ kind: 'story', id: story.id }}
              onOpenChange={onCover}
              size="medium"
              className={BUTTON_CLASS}
            />
          )}
          {story.kind === 'video' && (
            <IconButton
              label={isMuted ? texts.stories.soundOn : texts.stories.soundOff}
              size="medium"
              onClick={onToggleSound}
              className={BUTTON_CLASS}
            >
              {isMuted ? <VolumeX /> : <Volume2 />}
            </IconButton>
          )}
          <IconButton
            label={isPaused ? texts.stories.play : texts.stories.pause}
            size="medium"
            onClick={onTogglePause}
            className={BUTTON_CLASS}
          >
            {isPaused ? <Play /> : <Pause />}
          </IconButton>
        </span>
      </div>
    </header>
  )
}

/** The segment of one story in the progress line. Only the current segment is a progress bar for screen readers. */
function Segment({ progress, isCurrent }: { progress: number; isCurrent: boolean }) {
  const percent = progress * 100
  return (
    <span
      {...(isCurrent && {
        role: 'progressbar',
        'aria-label': texts.stories.progress,
        'aria-valuemin': 0,
        'aria-valuemax': 100,
        'aria-valuenow': Math.round(percent),
      })}
      className="h-[3px] flex-1 overflow-hidden rounded-full bg-white/35 forced-colors:outline-1"
    >
      <span
        style={{ width: `${percent}%` }}
        className={`block h-full rounded-full bg-white forced-colors:bg-accent ${isCurrent ? 'transition-[width] duration-100 ease-linear' : ''}`}
      />
    </span>
  )
}
