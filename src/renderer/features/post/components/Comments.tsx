import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useCommentsQuery } from '../comments/queries'
import type { SentComment } from '../drafts'
import type { Post } from '../queries'
import { CommentForm } from './CommentForm'
import { CommentList } from './CommentList'
import { PendingComments } from './PendingComments'

interface CommentsProps {
  id: string
  post: Post
  /** Whether the member has just opened them, to read or to write. */
  isAsked: boolean
}

/** A post's comments and the field to add one. */
export function Comments({ id, post, isAsked }: CommentsProps) {
  const [sent, setSent] = useState<SentComment | null>(null)
  const section = useRef<HTMLElement>(null)
  const focusField = () => section.current?.querySelector<HTMLElement>('[data-comment-field]')?.focus()
  useComeIntoView(section, post.id, isAsked)
  return (
    <section ref={section} id={id} className="mt-1 scroll-mb-4 rounded-md border border-line bg-raised">
      <CommentList post={post} sent={sent} onReply={focusField} hasOwnScroll />
      <PendingComments postId={post.id} onEdit={focusField} />
      <CommentForm postId={post.id} onSent={setSent} isFocused={isAsked} />
    </section>
  )
}

/** Scrolls opened comments into view, and again when they are loaded, unless the member has scrolled meanwhile. */
function useComeIntoView(section: RefObject<HTMLElement | null>, postId: string, isAsked: boolean): void {
  const { isPending } = useCommentsQuery(postId)
  const last = useRef({ wasPending: !isPending, y: window.scrollY })
  useLayoutEffect(() => {
    const { wasPending, y } = last.current
    if (!isAsked || wasPending === isPending || Math.abs(window.scrollY - y) > 1) return
    section.current?.scrollIntoView({ block: 'nearest' })
    last.current = { wasPending: isPending, y: window.scrollY }
  }, [section, isAsked, isPending])
}
