import { useState } from 'react'
import type { Post } from '../queries'
import { CommentForm } from './CommentForm'
import { CommentList } from './CommentList'

/** A post's comments and the field to add one. */
export function Comments({ id, post }: { id: string; post: Post }) {
  const [sentId, setSentId] = useState<string | null>(null)
  return (
    <section id={id} className="border-line border-t">
      <CommentList post={post} sentId={sentId} hasOwnScroll />
      <CommentForm postId={post.id} onSent={setSentId} isFocused />
    </section>
  )
}
