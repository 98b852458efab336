import { useRef } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { Button } from '#/renderer/components/Button'
import { Dialog } from '#/renderer/components/Dialog'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { Spinner } from '#/renderer/components/Spinner'
import { texts } from '#/renderer/lib/texts'
import { useOnScreen } from '#/renderer/lib/useOnScreen'
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
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const scroller = useRef<HTMLUListElement>(null)
  const end = useOnScreen<HTMLLIElement>(scroller, () => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  })
  if (data === undefined) {
    return (
      <div className="grid h-40 place-items-center">
        {isError ? <Button onClick={() => void refetch()}>{texts.tryAgain}</Button> : <Spinner />}
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
      {hasNextPage && (
        <li key={query.dataUpdatedAt} ref={end} className="grid h-14 place-items-center">
          <Spinner size={18} label={texts.stories.moreViewers} />
        </li>
      )}
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
        <span className="min-w-0 flex-1 text-[14px] leading-tight">
          <span className="block truncate font-semibold">{viewer.username}</span>
          <span className="block truncate text-[13px] text-quiet">{viewer.full_name}</span>
        </span>
        <RelativeTime at={created_at} className="shrink-0 text-[12.5px] text-quiet" />
      </Link>
    </li>
  )
}
