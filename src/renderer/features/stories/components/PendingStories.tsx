import { Clapperboard } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { PendingStatus } from '#/renderer/components/PendingStatus'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import type { PreparedMedia } from '#/renderer/lib/media'
// Not the folder's index, so that the strip does not load the code that prepares pictures.
import { storyThumbnailOf } from '#/renderer/lib/media/preview'
import { usePending } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { editState, NEW_STORY, withStory } from '../address'
import { STORY_KIND } from '../keys'
import type { NewStory } from '../mutations'

/** Below the member's bubble: their stories that wait for the connection, or were refused after that (STORY-10). */
export function PendingStories() {
  const navigate = useNavigate()
  const pending = usePending<NewStory>(STORY_KIND)
  if (pending.length === 0) return null
  return (
    <ul aria-label={texts.strip.pending} className="grid gap-1.5 px-1 pt-1">
      {pending.map((row) => (
        <li key={row.id} className="flex items-center gap-2.5">
          <span className="relative h-11 w-8 shrink-0 overflow-hidden rounded-sm bg-lifted">
            <Thumbnail media={row.payload.media} />
            {row.payload.media.kind === 'video' && (
              <Clapperboard
                aria-hidden="true"
                className="absolute end-0.5 bottom-0.5 size-3.5 rounded-sm bg-black/60 p-0.5 text-white"
              />
            )}
          </span>
          <span className="min-w-0">
            {row.payload.caption !== null && (
              <span dir="auto" className="block truncate text-[13px]">
                {row.payload.caption}
              </span>
            )}
            <PendingStatus
              row={row}
              onEdit={() => void navigate({ search: withStory('', NEW_STORY) }, { state: editState(row.id) })}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Thumbnail({ media }: { media: PreparedMedia }) {
  const url = useLocalUrl(storyThumbnailOf(media))
  return <img src={url ?? undefined} alt="" draggable={false} className="size-full object-cover opacity-70" />
}
