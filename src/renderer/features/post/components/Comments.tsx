import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useCommentsQuery } from '../comments'
import type { Post } from '../queries'
import { CommentForm } from './CommentForm'
import { CommentList } from './CommentList'
import { PendingComments } from './PendingComments'

interface CommentsProps {
  id: string
  post: Post
  /** One has just opened them, and means to read or to write. */
  isAsked: boolean
}

/** A post's comments and the field to add one. */
export function Comments({ id, post, isAsked }: CommentsProps) {
  const [sentId, setSentId] = useState<string | null>(null)
  const section = useRef<HTMLElement>(null)
  useComeIntoView(section, post.id, isAsked)
  return (
    <section ref={section} id={id} className="scroll-mb-4 border-line border-t">
      <CommentList post={post} sentId={sentId} hasOwnScroll />
      <PendingComments
        postId={post.id}
        onEdit={() => section.current?.querySelector<HTMLElement>('[data-comment-field]')?.focus()}
      />
      <CommentForm postId={post.id} onSent={setSentId} isFocused={isAsked} />
    </section>
  )
}

/** What opens below the window's edge comes up; once more when it is read, unless one has scrolled since. */
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
