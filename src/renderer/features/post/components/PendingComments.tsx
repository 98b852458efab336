import { Avatar } from '#/renderer/components/Avatar'
import { PendingStatus } from '#/renderer/components/PendingStatus'
import { RichText } from '#/renderer/components/RichText'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { discardRow } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { usePendingComments } from '../comments'
import { commentDraftOf } from '../drafts'

interface PendingCommentsProps {
  postId: string
  /** The text of a comment is in the field again. */
  onEdit: () => void
}

/** The member's comments that are not on the server yet (FEED-13). */
export function PendingComments({ postId, onEdit }: PendingCommentsProps) {
  const pending = usePendingComments(postId)
  const { id: me } = useMe()
  if (pending.length === 0) return null

  const handleEdit = async (id: string, content: string) => {
    if ((await discardRow(id)) === null) return
    commentDraftOf(me, postId).restore(id, content)
    onEdit()
  }

  return (
    <ul aria-label={texts.post.pendingComments} className="py-1.5">
      {pending.map((row) => {
        const { author, content } = row.payload
        const edit = () => {
          handleEdit(row.id, content).catch((cause: unknown) => logFailure('outbox', cause))
        }
        return (
          <li key={row.id} className="flex items-start gap-2.5 px-4 py-1.5 text-[14px]">
            <Avatar username={author.username} src={author.avatar_url} size={26} className="mt-px" />
            <div className="min-w-0 flex-1">
              <p>
                <span className="me-0.5 font-semibold">{author.username}</span> <RichText text={content} />
              </p>
              <PendingStatus row={row} onEdit={edit} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}
