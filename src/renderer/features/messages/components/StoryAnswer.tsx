import { Link, useLocation } from 'react-router-dom'
import { texts } from '#/renderer/lib/texts'
import { useAnsweredStoryQuery } from '../related'

interface StoryAnswerProps {
  /** Null once the story is gone. */
  storyId: string | null
  /** The answer is one's own, the story the other's. */
  isOwn: boolean
}

/** The story that a message answers, as a small card that opens it. */
export function StoryAnswer({ storyId, isOwn }: StoryAnswerProps) {
  const { search } = useLocation()
  const { data: story } = useAnsweredStoryQuery(storyId)
  const isGone = storyId === null || story === null
  const parameters = new URLSearchParams(search)
  parameters.set('story', storyId ?? '')
  return (
    <div className={`flex flex-col gap-1 text-[12.5px] text-quiet ${isOwn ? 'items-end' : 'items-start'}`}>
      <p>{isOwn ? texts.messages.story.theirs : texts.messages.story.yours}</p>
      {isGone ? (
        <p className="rounded-md border border-line px-3 py-2.5">{texts.messages.story.expired}</p>
      ) : (
        <Link
          to={{ search: `?${parameters}` }}
          aria-label={texts.messages.story.open}
          title={texts.messages.story.open}
          className="block h-30 w-20 overflow-hidden rounded-md border border-line bg-sunk"
        >
          {story?.thumbnail_url != null && (
            <img src={story.thumbnail_url} alt="" className="size-full object-cover" />
          )}
        </Link>
      )}
    </div>
  )
}
