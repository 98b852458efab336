import { createToggleSync } from '#/renderer/lib/toggle-sync'
import type { Post } from './queries'

export type Reaction = 'like' | 'save'

/** The likes and saves that are on their way, of every member of this window. */
export const reactionSync = createToggleSync()

export function reactionKey(me: string, reaction: Reaction, postId: string): string {
  return `${me}:${reaction}:${postId}`
}

/** A post with the member's like set or taken back, and the count moved if that changed anything. */
export function withLike(post: Post, me: string, isLiked: boolean): Post {
  if (isLiked === post.my_like.length > 0) return post
  return {
    ...post,
    my_like: isLiked ? [{ user_id: me }] : [],
    like_count: Math.max(0, post.like_count + (isLiked ? 1 : -1)),
  }
}

/** A post with the member's bookmark set or taken back. */
export function withSave(post: Post, me: string, isSaved: boolean): Post {
  return { ...post, my_save: isSaved ? [{ user_id: me }] : [] }
}

/** A post as the server gave it, with what the member pressed since and the server does not know yet. */
export function withPending(post: Post, me: string): Post {
  const isLiked = reactionSync.desired(reactionKey(me, 'like', post.id))
  const isSaved = reactionSync.desired(reactionKey(me, 'save', post.id))
  const liked = isLiked === undefined ? post : withLike(post, me, isLiked)
  return isSaved === undefined ? liked : withSave(liked, me, isSaved)
}
