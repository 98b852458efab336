import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ListEnd, WINDOW } from '#/renderer/components/ListEnd'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { type Comment, useCommentQuery, useCommentsQuery } from '../comments/queries'
import { commentDraftOf, type SentComment } from '../drafts'
import { CommentItem } from './CommentItem'
import { MissingComments } from './MissingComments'

interface CommentThreadProps {
  /** The comment that starts the thread. */
  comment: Comment
  sent: SentComment | null
  /** The linked comment, if it is in this thread. */
  linkedId: string | null
  canDelete: (comment: Comment) => boolean
  onDelete: (comment: Comment) => void
  /** Called when the field has become a reply. */
  onReply: () => void
}

/** A comment, and its replies when they are opened. */
export function CommentThread({ comment, sent, linkedId, onReply, ...rest }: CommentThreadProps) {
  const { id, post_id, reply_count, author } = comment
  const { id: me } = useMe()
  const [isOpen, setIsOpen] = useState(false)
  // The member's own reply and a linked one open the thread.
  const [opened, setOpened] = useState<string | null>(null)
  const opener = sent?.replyTo?.threadId === id ? sent.id : linkedId === id ? null : linkedId
  if (opener !== null && opener !== opened) {
    setOpened(opener)
    setIsOpen(true)
  }
  const reply = (to: Comment) => {
    const { username } = to.author
    // A reply to a reply joins the thread, and mentions its author.
    commentDraftOf(me, post_id).setReplyTo({ threadId: id, username }, to.id === id ? '' : `@${username} `)
    onReply()
  }
  const item = (each: Comment) => (
    <CommentItem
      comment={each}
      isLinked={each.id === linkedId}
      canDelete={rest.canDelete(each)}
      onDelete={() => rest.onDelete(each)}
      onReply={() => reply(each)}
    />
  )
  return (
    <li>
      {item(comment)}
      {reply_count > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="ms-12.5 rounded-sm px-1 py-1 text-[12.5px] text-quiet hover:text-ink"
        >
          {isOpen ? texts.post.hideReplies : texts.post.viewReplies(reply_count)}
          <span className="sr-only"> {author.username}</span>
        </button>
      )}
      {isOpen && <Replies comment={comment} sentId={sent?.id ?? null} linkedId={linkedId} item={item} />}
    </li>
  )
}

interface RepliesProps extends Pick<CommentThreadProps, 'comment' | 'linkedId'> {
  sentId: string | null
  item: (reply: Comment) => ReactNode
}

function Replies({ comment, sentId, linkedId, item }: RepliesProps) {
  const query = useCommentsQuery(comment.post_id, comment.id)
  const { data: replies = [], isPending, isLoadingError, hasNextPage, refetch } = query
  const { data: linked = null } = useCommentQuery(comment.post_id, linkedId)
  const list = useRef<HTMLUListElement>(null)

  const has = (id: string | null) => replies.some((reply) => reply.id === id)
  // Shown on top, as a comment of a later page is: loading all pages before it would draw a thousand replies. Decided once: a later page that
  // contains it must not move it.
  const [pinnedId, setPinnedId] = useState<string | null>(null)
  const isLater = linkedId !== comment.id && !has(linkedId) && hasNextPage
  if (linkedId !== null && linkedId !== pinnedId && isLater) setPinnedId(linkedId)
  const pinned = linked?.id === pinnedId ? linked : null
  const shown = pinned === null ? replies : [pinned, ...replies.filter(({ id }) => id !== pinned.id)]

  const isSentShown = has(sentId)
  useEffect(() => {
    if (isSentShown) list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }, [isSentShown])

  if (isPending || isLoadingError) {
    return <MissingComments what="replies" hasFailed={!isPending} onRetry={refetch} className="min-h-12" />
  }
  return (
    <ul ref={list} aria-label={texts.post.replies(comment.author.username)} className="ps-9">
      {shown.map((reply) => (
        <li key={reply.id}>{item(reply)}</li>
      ))}
      <ListEnd query={query} scroller={WINDOW} label={texts.post.moreReplies} />
    </ul>
  )
}
