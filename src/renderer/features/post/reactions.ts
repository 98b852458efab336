import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'
import { createToggleSync } from '#/renderer/lib/toggle-sync'
import { type Post, patchPost } from './queries'

type Reaction = 'like' | 'save'

const sync = createToggleSync()

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

const TABLE = { like: 'likes', save: 'saved_posts' } as const
const APPLY = { like: withLike, save: withSave } as const

async function send(reaction: Reaction, postId: string, me: string, isOn: boolean): Promise<void> {
  const table = supabase().from(TABLE[reaction])
  if (!isOn) {
    await answer(table.delete().eq('post_id', postId).eq('user_id', me))
    return
  }
  // Another window may have done it already: then it is done.
  await answer(
    table.upsert(
      { post_id: postId, user_id: me },
      { onConflict: reaction === 'like' ? 'post_id,user_id' : 'user_id,post_id', ignoreDuplicates: true },
    ),
  )
}

function react(client: QueryClient, reaction: Reaction, post: Post, me: string, isOn: boolean): void {
  const apply = APPLY[reaction]
  patchPost(client, post.id, (cached) => apply(cached, me, isOn))
  void sync(`${reaction}:${post.id}`, !isOn, isOn, {
    send: (target) => send(reaction, post.id, me, target),
    onFailed: (confirmed, cause) => {
      logFailure(reaction, cause)
      patchPost(client, post.id, (cached) => apply(cached, me, confirmed))
    },
  })
}

/** Like and save: on screen at once, on the server in turn, put back when the server refuses (FEED-04, FEED-05). */
export function useReactions(post: Post) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const isLiked = post.my_like.length > 0
  const isSaved = post.my_save.length > 0
  return {
    isLiked,
    isSaved,
    toggleLike: () => react(client, 'like', post, me, !isLiked),
    toggleSave: () => react(client, 'save', post, me, !isSaved),
    /** A double click on the picture: likes, and never takes a like back. */
    like: () => {
      if (!isLiked) react(client, 'like', post, me, true)
    },
  }
}
