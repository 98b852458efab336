import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Dispatch } from 'react'
import { Avatar } from '#/renderer/components/Avatar'
import { Picture } from '#/renderer/components/Picture'
import { texts } from '#/renderer/lib/texts'
import { type Direction, neighbour, neighbourMember, type Playback, type PlaybackEvent } from '../playback'
import { type Story, useThumbnail } from '../queries'

interface NeighboursProps {
  to: Direction
  stories: readonly Story[]
  current: Story
  /** Whether previews show their thumbnails. */
  hasThumbnails: boolean
  playback: Playback
  dispatch: Dispatch<PlaybackEvent>
}

/** On one side of the frame: the button to the next story, and the preview of the next member's. */
export function Neighbours({ to, stories, current, hasThumbnails, playback, dispatch }: NeighboursProps) {
  const storyOf = (played: { id: string } | undefined) => stories.find(({ id }) => id === played?.id)
  const story = storyOf(neighbour(playback, to))
  const otherMember = storyOf(neighbourMember(playback, to))
  return (
    <>
      {story !== undefined && (
        <StepButton
          to={to}
          story={story}
          isOtherMember={story.user_id !== current.user_id}
          isReading={playback.holds.includes('reading')}
          onStep={() => dispatch({ type: 'step', to })}
        />
      )}
      {otherMember !== undefined && (
        <NeighbourPreview
          side={to}
          story={otherMember}
          hasThumbnail={hasThumbnails}
          onStep={() => dispatch({ type: 'step-member', to })}
        />
      )}
    </>
  )
}

interface StepButtonProps {
  to: Direction
  story: Story
  /** It belongs to another member than the current story. */
  isOtherMember: boolean
  /** The caption is expanded, and covers this button in a narrow window. */
  isReading: boolean
  onStep: () => void
}

/** The button to the next or previous story. It shows the member if it is another one. */
function StepButton({ to, story, isOtherMember, isReading, onStep }: StepButtonProps) {
  const { username } = story.author
  const isNext = to === 'next'
  const label = isNext
    ? isOtherMember
      ? texts.stories.nextOf(username)
      : texts.stories.next
    : isOtherMember
      ? texts.stories.previousOf(username)
      : texts.stories.previous
  const Chevron = isNext ? ChevronRight : ChevronLeft
  const position = isNext
    ? 'right-3 sm:right-[max(12px,calc(50vw-50dvh*9/16-72px))]'
    : 'left-3 flex-row-reverse sm:left-[max(12px,calc(50vw-50dvh*9/16-72px))]'
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onStep}
      className={`absolute top-1/2 z-10 -mt-5 flex h-10 items-center rounded-full bg-white/12 outline-white transition-colors duration-150 hover:bg-white/25 max-sm:bg-black/45 max-sm:hover:bg-black/65 ${position} ${isReading ? 'max-sm:hidden' : ''}`}
    >
      {isOtherMember && (
        <span aria-hidden="true" className={`wide:hidden ${isNext ? 'ps-1' : 'pe-1'}`}>
          <Avatar member={story.author} size={30} />
        </span>
      )}
      <span className="grid size-10 place-items-center">
        <Chevron aria-hidden="true" className="size-5.5 stroke-[1.75]" />
      </span>
    </button>
  )
}

interface NeighbourPreviewProps {
  side: Direction
  story: Story
  hasThumbnail: boolean
  onStep: () => void
}

/**
 * In a wide window: the thumbnail of the next or previous member's first story. Only the member's picture is a button: a
 * press beside it is a tap on that half of the window (STORY-04).
 */
function NeighbourPreview({ side, story, hasThumbnail, onStep }: NeighbourPreviewProps) {
  const thumbnail = useThumbnail(story)
  const { username } = story.author
  const position =
    side === 'next' ? 'left-[calc(50vw+50dvh*9/16+92px)]' : 'right-[calc(50vw+50dvh*9/16+92px)]'
  return (
    <div
      className={`group absolute top-1/2 hidden aspect-9/16 h-[42dvh] -translate-y-1/2 overflow-hidden rounded-md bg-white/6 wide:block ${position}`}
    >
      {hasThumbnail && thumbnail !== null && (
        <Picture
          source={thumbnail}
          alt=""
          sizes="24dvh"
          fit="cover"
          className="size-full opacity-35 transition-opacity duration-200 group-has-[button:hover]:opacity-55"
        />
      )}
      <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 p-3">
        <button
          type="button"
          aria-label={texts.stories.watch(username)}
          title={texts.stories.watch(username)}
          onClick={onStep}
          className={`rounded-full p-[2.5px] outline-white outline-offset-2 ${story.isSeen ? 'bg-white/45' : 'story-ring'}`}
        >
          <span className="block rounded-full bg-[#090807] p-[2px]">
            <Avatar member={story.author} size={48} />
          </span>
        </button>
        <span className="max-w-full truncate font-semibold text-[13.5px] [text-shadow:0_1px_8px_#000]">
          {username}
        </span>
      </div>
    </div>
  )
}
