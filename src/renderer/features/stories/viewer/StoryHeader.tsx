import { Pause, Play, Volume2, VolumeX } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { IconButton } from '#/renderer/components/IconButton'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { texts } from '#/renderer/lib/texts'
import type { Story } from '../queries'

interface StoryHeaderProps {
  story: Story
  /** Of all stories of this member, in their order. */
  ids: readonly string[]
  /** Of the story shown, from 0 to 1. */
  progress: number
  isPaused: boolean
  isMuted: boolean
  onTogglePause: () => void
  onToggleSound: () => void
}

const BUTTON_CLASS = 'hover:bg-white/15!'

/** Over the media: how far it is, whose story it is, and what can be done with it. */
export function StoryHeader({ story, ids, progress, ...controls }: StoryHeaderProps) {
  const { username, avatar_url } = story.author
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
          <Avatar username={username} src={avatar_url} size={34} />
          <span className="truncate font-semibold text-[14px]">{username}</span>
        </Link>
        <RelativeTime at={story.created_at} className="shrink-0 text-[12.5px] text-white/90" />
        <span className="ms-auto flex shrink-0">
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

/** One story's share of the line on top. Only that of the story shown is a progress bar to who listens. */
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
      className="h-[3px] flex-1 overflow-hidden rounded-full bg-white/35"
    >
      <span
        style={{ width: `${percent}%` }}
        className={`block h-full rounded-full bg-white ${isCurrent ? 'transition-[width] duration-100 ease-linear' : ''}`}
      />
    </span>
  )
}
