import { Eye, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { Dialog } from '#/renderer/components/Dialog'
import { IconButton } from '#/renderer/components/IconButton'
import { ListEnd } from '#/renderer/components/ListEnd'
import { MemberNames } from '#/renderer/components/MemberNames'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { texts } from '#/renderer/lib/texts'
import { useDeleteStoryMutation } from '../mutations'
import { type StoryViewer, useLiveViewers, useViewersQuery } from '../queries'

/** Avatars beside the number of views. */
const AVATARS = 3

interface OwnerBarProps {
  storyId: string
  /** A dialog opens or closes over the story. */
  onCover: (isCovered: boolean) => void
  onDeleted: () => void
}

/** The viewers of the member's own story (STORY-06), and its delete button (STORY-09). */
export function OwnerBar({ storyId, onCover, onDeleted }: OwnerBarProps) {
  const [open, setOpen] = useState<'viewers' | 'delete' | null>(null)
  const { data } = useViewersQuery(storyId)
  useLiveViewers(storyId)
  const deletion = useDeleteStoryMutation()

  const handleOpen = (dialog: 'viewers' | 'delete') => {
    setOpen(dialog)
    onCover(true)
  }
  const handleClose = () => {
    setOpen(null)
    onCover(false)
  }

  return (
    <div className="flex items-center justify-between px-4 pb-4">
      <button
        type="button"
        onClick={() => handleOpen('viewers')}
        className="flex h-10 items-center gap-2.5 rounded-full px-2 font-semibold text-[14px] outline-white transition-colors duration-150 hover:bg-white/15"
      >
        <span aria-hidden="true" className="flex items-center">
          {data === undefined || data.viewers.length === 0 ? (
            <Eye className="size-5 stroke-[1.75]" />
          ) : (
            data.viewers
              .slice(0, AVATARS)
              .map(({ viewer_id, viewer }) => (
                <Avatar
                  key={viewer_id}
                  member={viewer}
                  size={26}
                  className="-ms-2 ring-2 ring-black/70 first:ms-0"
                />
              ))
          )}
        </span>
        {texts.stories.views(data?.count ?? 0)}
      </button>
      <IconButton
        label={texts.stories.deleteStory}
        onClick={() => handleOpen('delete')}
        className="outline-white hover:bg-white/15!"
      >
        <Trash2 />
      </IconButton>
      {open === 'viewers' && <ViewersDialog storyId={storyId} onClose={handleClose} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={texts.stories.deleteTitle}
          body={texts.stories.deleteBody}
          action={texts.delete}
          isBusy={deletion.isPending}
          onConfirm={() =>
            deletion.mutate(storyId, {
              onSuccess: onDeleted,
              onSettled: handleClose,
            })
          }
          onCancel={handleClose}
        />
      )}
    </div>
  )
}

interface ViewersDialogProps {
  storyId: string
  onClose: () => void
}

function ViewersDialog({ storyId, onClose }: ViewersDialogProps) {
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
        <SpinnerOrRetry hasFailed={isError} onRetry={refetch} />
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
        <Avatar member={viewer} size={40} />
        <MemberNames username={viewer.username} fullName={viewer.full_name} />
        <RelativeTime at={created_at} className="shrink-0 text-[12.5px] text-quiet" />
      </Link>
    </li>
  )
}
