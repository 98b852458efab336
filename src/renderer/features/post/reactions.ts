import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { type Post, patchPost, postKeys } from './queries'
import { type Reaction, reactionKey, reactionSync, withLike, withSave } from './reaction-state'

const TABLE = { like: 'likes', save: 'saved_posts' } as const
const APPLY = { like: withLike, save: withSave } as const

async function send(reaction: Reaction, postId: string, me: string, isOn: boolean): Promise<void> {
  const table = supabase().from(TABLE[reaction])
  if (!isOn) {
    await unwrap(table.delete().eq('post_id', postId).eq('user_id', me))
    return
  }
  // Another window may have done it already: then it is done.
  await unwrap(
    table.upsert(
      { post_id: postId, user_id: me },
      { onConflict: reaction === 'like' ? 'post_id,user_id' : 'user_id,post_id', ignoreDuplicates: true },
    ),
  )
}

/** @param to what the reaction shall be; the other of what it is when left out. */
function react(client: QueryClient, reaction: Reaction, postId: string, me: string, to?: boolean): void {
  const post = client.getQueryData<Post | null>(postKeys.post(postId))
  if (post == null) return
  // From the cache: the card on screen may not have been drawn anew since the last press.
  const isOn = (reaction === 'like' ? post.my_like : post.my_save).length > 0
  const target = to ?? !isOn
  if (target === isOn) return
  const apply = APPLY[reaction]
  patchPost(client, postId, (cached) => apply(cached, me, target))
  void reactionSync.set(reactionKey(me, reaction, postId), isOn, target, {
    send: (isOn) => send(reaction, postId, me, isOn),
    onFailed: (confirmed, cause) => {
      logFailure(reaction, cause)
      patchPost(client, postId, (cached) => apply(cached, me, confirmed))
    },
  })
}

/** Like and save: on screen at once, on the server in turn, put back when the server refuses (FEED-04, FEED-05). */
export function useReactions(post: Post) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return {
    isLiked: post.my_like.length > 0,
    isSaved: post.my_save.length > 0,
    toggleLike: () => react(client, 'like', post.id, me),
    toggleSave: () => react(client, 'save', post.id, me),
    /** A double click on the picture: likes, and never takes a like back. */
    like: () => react(client, 'like', post.id, me, true),
  }
}
