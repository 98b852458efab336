import { use } from 'react'
import { texts } from '#/renderer/lib/texts'
import { useAnsweredStoryQuery } from '../related'
import { StoryLinkContext } from '../story-link'

interface StoryAnswerProps {
  /** Null once the story is gone. */
  storyId: string | null
  /** The answer is one's own, the story the other's. */
  isOwn: boolean
}

/** The story that a message answers, as a small card that opens it. */
export function StoryAnswer({ storyId, isOwn }: StoryAnswerProps) {
  const { data: story } = useAnsweredStoryQuery(storyId)
  const StoryLink = use(StoryLinkContext)
  const isGone = storyId === null || story === null
  return (
    <div className={`flex flex-col gap-1 text-[12.5px] text-quiet ${isOwn ? 'items-end' : 'items-start'}`}>
      <p>{isOwn ? texts.messages.story.theirs : texts.messages.story.yours}</p>
      {isGone ? (
        <p className="rounded-md border border-line px-3 py-2.5">{texts.messages.story.gone}</p>
      ) : (
        <StoryLink
          id={storyId}
          className="block h-30 w-20 overflow-hidden rounded-md border border-line bg-sunk"
        >
          <span className="sr-only">{texts.messages.story.open}</span>
          {story?.thumbnail_url != null && (
            <img src={story.thumbnail_url} alt="" className="size-full object-cover" />
          )}
        </StoryLink>
      )}
    </div>
  )
}
