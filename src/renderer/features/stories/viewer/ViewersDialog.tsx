import { useRef } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { Dialog } from '#/renderer/components/Dialog'
import { ListEnd } from '#/renderer/components/ListEnd'
import { MemberNames } from '#/renderer/components/MemberNames'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { texts } from '#/renderer/lib/texts'
import { type StoryViewer, useViewersQuery } from './viewers'

interface ViewersDialogProps {
  storyId: string
  onClose: () => void
}

/** Who has seen one's own story, and when. */
export function ViewersDialog({ storyId, onClose }: ViewersDialogProps) {
  return (
    <Dialog title={texts.stories.viewersTitle} onClose={onClose}>
      <Viewers storyId={storyId} />
    </Dialog>
  )
}

function Viewers({ storyId }: { storyId: string }) {
  const query = useViewersQuery(storyId)
  const { data, isError, refetch } = query
  const scroller = useRef<HTMLUListElement>(null)
  if (data === undefined) {
    return (
      <div className="grid h-40 place-items-center">
        <SpinnerOrRetry hasFailed={isError} onRetry={() => void refetch()} />
      </div>
    )
  }
  if (data.viewers.length === 0)
    return <p className="py-10 text-center text-quiet">{texts.stories.noViewers}</p>
  return (
    <ul
      ref={scroller}
      aria-label={texts.stories.viewersTitle}
      className="-mx-6 max-h-[min(480px,60dvh)] overflow-y-auto overscroll-contain"
    >
      {data.viewers.map((each) => (
        <ViewerRow key={each.viewer_id} view={each} />
      ))}
      <ListEnd query={query} scroller={scroller} label={texts.stories.moreViewers} />
    </ul>
  )
}

function ViewerRow({ view: { viewer, created_at } }: { view: StoryViewer }) {
  return (
    <li className="hover:bg-sunk">
      <Link
        to={`/profile/${viewer.username}`}
        className="flex items-center gap-3 px-6 py-2 -outline-offset-2"
      >
        <Avatar username={viewer.username} src={viewer.avatar_url} size={40} />
        <MemberNames username={viewer.username} fullName={viewer.full_name} />
        <RelativeTime at={created_at} className="shrink-0 text-[12.5px] text-quiet" />
      </Link>
    </li>
  )
}
