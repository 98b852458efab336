import { Eye, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#/renderer/components/Avatar'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { IconButton } from '#/renderer/components/IconButton'
import { texts } from '#/renderer/lib/texts'
import { useDeleteStoryMutation } from '../queries'
import { ViewersDialog } from './ViewersDialog'
import { useLiveViewers, useViewersQuery } from './viewers'

/** How many faces stand beside the number of views. */
const FACES = 3

interface OwnerBarProps {
  storyId: string
  /** Something opens over the story, or closes again. */
  onCover: (isCovered: boolean) => void
  onDeleted: () => void
}

/** Under one's own story: who has seen it (STORY-06), and the way to delete it (STORY-09). */
export function OwnerBar({ storyId, onCover, onDeleted }: OwnerBarProps) {
  const [open, setOpen] = useState<'viewers' | 'delete' | null>(null)
  const { data } = useViewersQuery(storyId)
  useLiveViewers(storyId)
  const deletion = useDeleteStoryMutation()

  const handleOpen = (what: 'viewers' | 'delete') => {
    setOpen(what)
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
              .slice(0, FACES)
              .map(({ viewer_id, viewer }) => (
                <Avatar
                  key={viewer_id}
                  username={viewer.username}
                  src={viewer.avatar_url}
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
