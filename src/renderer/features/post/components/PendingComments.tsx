import { Avatar } from '#/renderer/components/Avatar'
import { Fold } from '#/renderer/components/Fold'
import { PendingStatus } from '#/renderer/components/PendingStatus'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/core/logger'
import { discardRow, usePending } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import type { NewComment } from '../comments/mutations'
import { commentDraftOf } from '../drafts'
import { COMMENT_KIND, commentScope } from '../keys'

interface PendingCommentsProps {
  postId: string
  /** Called when the text of a comment is back in the field. */
  onEdit: () => void
}

/** The member's comments on a post that wait for the connection, or were refused after that (FEED-19). */
export function PendingComments({ postId, onEdit }: PendingCommentsProps) {
  const pending = usePending<NewComment>(COMMENT_KIND, commentScope(postId))
  const { id: me } = useMe()
  if (pending.length === 0) return null

  const handleEdit = async ({ id, payload: { content, replyTo = null } }: (typeof pending)[number]) => {
    if ((await discardRow(id)) === null) return
    commentDraftOf(me, postId).restore(id, content, replyTo)
    onEdit()
  }

  return (
    <ul aria-label={texts.post.pendingComments} className="py-1.5">
      {pending.map((row) => {
        const { author, content, replyTo } = row.payload
        const edit = () => {
          handleEdit(row).catch((cause: unknown) => logFailure('outbox', cause))
        }
        return (
          <li key={row.id} className="flex items-start gap-2.5 px-4 py-1.5 text-[14px]">
            <Avatar member={author} size={26} className="mt-px" />
            <div className="min-w-0 flex-1">
              {replyTo != null && (
                <p className="text-[12.5px] text-quiet">{texts.post.replyingTo(replyTo.username)}</p>
              )}
              <Fold id={row.id} text={content} place="comment" className="[overflow-wrap:anywhere]">
                <bdi className="font-semibold">{author.username}</bdi>
              </Fold>
              <PendingStatus row={row} onEdit={edit} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}
