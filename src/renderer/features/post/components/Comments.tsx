import type { Post } from '../queries'
import { CommentForm } from './CommentForm'
import { CommentList } from './CommentList'

/** A post's comments and the field to add one. */
export function Comments({ id, post }: { id: string; post: Post }) {
  return (
    <section id={id} className="border-line border-t">
      <CommentList post={post} />
      <CommentForm postId={post.id} />
    </section>
  )
}
