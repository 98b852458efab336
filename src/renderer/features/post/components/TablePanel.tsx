import { type RefObject, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { Fold } from '#/renderer/components/Fold'
import { isPostId, linkedCommentId } from '../address'
import type { SentComment } from '../drafts'
import { isShortText } from '../model'
import { useReactions } from '../mutations/reactions'
import type { Post } from '../queries'
import { CameraFacts } from './CameraFacts'
import { CommentForm } from './CommentForm'
import { CommentList } from './CommentList'
import { PendingComments } from './PendingComments'
import { PostActions } from './PostActions'
import { PostHeader } from './PostHeader'

interface TablePanelProps {
  post: Post
  hasPhotos: boolean
  /** Index of the photo that is shown. */
  photo: number
  /** Of the element that contains the field for a comment. */
  foot: RefObject<HTMLDivElement | null>
  /** Shows the panel and focuses the field. */
  onComment: () => void
  onDeleted: () => void
}

/** The words of a post, its actions and its comments. */
export function TablePanel({ post, hasPhotos, photo, foot, onComment, onDeleted }: TablePanelProps) {
  const reactions = useReactions(post)
  const [sent, setSent] = useState<SentComment | null>(null)
  const linked = linkedCommentId(useLocation().search)
  const linkedId = linked !== null && isPostId(linked) ? linked : null
  return (
    <>
      <PostHeader post={post} onDeleted={onDeleted} />
      <div className="table-wide:min-h-0 table-wide:flex-1 table-wide:overflow-y-auto table-wide:overscroll-contain">
        {hasPhotos && post.content !== '' && (
          <div
            className={`px-4 pt-0.5 pb-1 ${isShortText(post.content) ? 'font-display text-[18px] leading-snug' : ''}`}
          >
            <Fold
              id={post.id}
              text={post.content}
              place="openCaption"
              buttonClass="py-0.5 font-sans text-[15px] text-quiet hover:text-ink"
            />
          </div>
        )}
        <CameraFacts post={post} photo={photo} />
        <div className="mt-2.5 border-line border-t">
          <PostActions post={post} reactions={reactions} onComment={onComment} />
        </div>
        <CommentList post={post} sent={sent} linkedId={linkedId} onReply={onComment} />
      </div>
      <div ref={foot} className="border-line border-t">
        <PendingComments postId={post.id} onEdit={onComment} />
        <CommentForm postId={post.id} onSent={setSent} />
      </div>
    </>
  )
}
