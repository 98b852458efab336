import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Dispatch } from 'react'
import { Avatar } from '#/renderer/components/Avatar'
import { texts } from '#/renderer/lib/texts'
import { useThumbnailQuery } from '../media'
import type { Story } from '../queries'
import { type Direction, neighbour, neighbourMember, type Playback, type PlaybackEvent } from './playback'

interface WaysProps {
  to: Direction
  stories: readonly Story[]
  shown: Story
  playback: Playback
  dispatch: Dispatch<PlaybackEvent>
}

/** On one side of the frame: the ways to the story next to it, and to the next member. */
export function Ways({ to, stories, shown, playback, dispatch }: WaysProps) {
  const storyOf = (played: { id: string } | undefined) => stories.find(({ id }) => id === played?.id)
  const story = storyOf(neighbour(playback, to))
  const others = storyOf(neighbourMember(playback, to))
  return (
    <>
      {story !== undefined && (
        <StepButton
          to={to}
          story={story}
          isOthers={story.user_id !== shown.user_id}
          isReading={playback.holds.includes('reading')}
          onStep={() => dispatch({ type: 'step', to })}
        />
      )}
      {others !== undefined && (
        <Neighbour side={to} story={others} onStep={() => dispatch({ type: 'step-member', to })} />
      )}
    </>
  )
}

interface StepButtonProps {
  to: Direction
  /** The story that it leads to. */
  story: Story
  /** It is somebody else's than the one on screen. */
  isOthers: boolean
  /** The caption is open, and takes the room of this button in a narrow window. */
  isReading: boolean
  onStep: () => void
}

/** Beside the frame: on to the story next to this one. Whose it is stands there once it is another member's. */
function StepButton({ to, story, isOthers, isReading, onStep }: StepButtonProps) {
  const { username, avatar_url } = story.author
  const isNext = to === 'next'
  const label = isNext
    ? isOthers
      ? texts.stories.nextOf(username)
      : texts.stories.next
    : isOthers
      ? texts.stories.previousOf(username)
      : texts.stories.previous
  const Chevron = isNext ? ChevronRight : ChevronLeft
  const place = isNext
    ? 'right-3 sm:right-[max(12px,calc(50vw-50dvh*9/16-72px))]'
    : 'left-3 flex-row-reverse sm:left-[max(12px,calc(50vw-50dvh*9/16-72px))]'
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onStep}
      className={`absolute top-1/2 z-10 -mt-5 flex h-10 items-center rounded-full bg-white/12 outline-white transition-colors duration-150 hover:bg-white/25 max-sm:bg-black/45 max-sm:hover:bg-black/65 ${place} ${isReading ? 'max-sm:hidden' : ''}`}
    >
      {isOthers && (
        <span aria-hidden="true" className={`wide:hidden ${isNext ? 'ps-1' : 'pe-1'}`}>
          <Avatar username={username} src={avatar_url} size={30} />
        </span>
      )}
      <span className="grid size-10 place-items-center">
        <Chevron aria-hidden="true" className="size-5.5 stroke-[1.75]" />
      </span>
    </button>
  )
}

interface NeighbourProps {
  side: Direction
  story: Story
  onStep: () => void
}

/** In a wide window: the story that the member before or after begins with, small and dimmed. */
function Neighbour({ side, story, onStep }: NeighbourProps) {
  const { data: still } = useThumbnailQuery(story.id)
  const { username, avatar_url } = story.author
  const place = side === 'next' ? 'left-[calc(50vw+50dvh*9/16+92px)]' : 'right-[calc(50vw+50dvh*9/16+92px)]'
  return (
    <button
      type="button"
      aria-label={texts.stories.watch(username)}
      title={texts.stories.watch(username)}
      onClick={onStep}
      className={`group absolute top-1/2 hidden aspect-9/16 h-[42dvh] -translate-y-1/2 overflow-hidden rounded-md bg-white/6 outline-white wide:block ${place}`}
    >
      {still != null && (
        <img
          src={still}
          alt=""
          draggable={false}
          className="size-full object-cover opacity-35 transition-opacity duration-200 group-hover:opacity-55"
        />
      )}
      <span className="absolute inset-0 grid place-content-center justify-items-center gap-2 p-3">
        <span className={`rounded-full p-[2.5px] ${story.isSeen ? 'bg-white/45' : 'story-ring'}`}>
          <span className="block rounded-full bg-[#090807] p-[2px]">
            <Avatar username={username} src={avatar_url} size={48} />
          </span>
        </span>
        <span className="max-w-full truncate font-semibold text-[13.5px] [text-shadow:0_1px_8px_#000]">
          {username}
        </span>
      </span>
    </button>
  )
}
