import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { onIdsChange } from '#/renderer/lib/live'
import { storedKeys, storeItem } from '#/renderer/lib/local/local-storage'
import { storedToggles } from '#/renderer/lib/queries/stored-toggles'
import type { StoredToggle } from '#/renderer/lib/queries/toggle-sync'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { explainIfGone } from '../gone'
import { postKeys } from '../keys'
import {
  commentLikeKey,
  type Post,
  patchPost,
  type Reaction,
  reactionKey,
  reactionPrefix,
  reactionSync,
  refreshPost,
  refreshPostRow,
  withLike,
  withSave,
} from '../queries'

const TABLE = { like: 'likes', save: 'saved_posts' } as const
const APPLY = { like: withLike, save: withSave } as const

async function sendReaction(reaction: Reaction, postId: string, me: string, isOn: boolean): Promise<void> {
  const table = supabase().from(TABLE[reaction])
  if (!isOn) {
    await unwrap(table.delete().eq('post_id', postId).eq('user_id', me))
    return
  }
  // Another window may have added it already.
  await unwrap(
    table.upsert(
      { post_id: postId, user_id: me },
      { onConflict: reaction === 'like' ? 'post_id,user_id' : 'user_id,post_id', ignoreDuplicates: true },
    ),
  )
}

/** @param to the new state; by default the opposite of the current one */
function react(client: QueryClient, reaction: Reaction, postId: string, me: string, to?: boolean): void {
  const post = client.getQueryData<Post | null>(postKeys.post(postId))
  if (post == null) return
  // From the cache: the card may not have been rendered again since the last press.
  const isOn = (reaction === 'like' ? post.my_like : post.my_save).length > 0
  const target = to ?? !isOn
  if (target === isOn) return
  patchPost(client, postId, (cached) => APPLY[reaction](cached, me, target))
  syncReaction(client, { reaction, postId, me }, { from: isOn, to: target })
}

interface MemberReaction {
  reaction: Reaction
  postId: string
  me: string
}

function syncReaction(
  client: QueryClient,
  { reaction, postId, me }: MemberReaction,
  toggle: StoredToggle,
): void {
  void reactionSync.set(reactionKey(me, reaction, postId), toggle.from, toggle.to, {
    send: (isOn) => sendReaction(reaction, postId, me, isOn),
    onFailed: (confirmed, cause) => {
      logFailure(reaction, cause)
      patchPost(client, postId, (cached) => APPLY[reaction](cached, me, confirmed))
      // The post says itself that it is gone, if that is why.
      showToast({ text: texts.post.notStored[reaction] })
      explainIfGone(client, postId, cause)
    },
  })
}

async function sendCommentLike(id: string, me: string, isLiked: boolean): Promise<void> {
  const table = supabase().from('comment_likes')
  if (!isLiked) await unwrap(table.delete().eq('comment_id', id).eq('user_id', me))
  else {
    // Another window may have added it already.
    await unwrap(
      table.upsert(
        { comment_id: id, user_id: me },
        { onConflict: 'comment_id,user_id', ignoreDuplicates: true },
      ),
    )
  }
}

/** @param onFailed called with the confirmed state when the server refuses */
export function syncCommentLike(
  id: string,
  me: string,
  { from, to }: StoredToggle,
  onFailed?: (confirmed: boolean) => void,
): void {
  void reactionSync.set(commentLikeKey(me, id), from, to, {
    send: (isLiked) => sendCommentLike(id, me, isLiked),
    onFailed: (confirmed, cause) => {
      logFailure('like comment', cause)
      showToast({ text: texts.post.notStored.like })
      onFailed?.(confirmed)
    },
  })
}

/** The reaction with this storage key; null if the key is of something else. */
function parseReactionKey(key: string, me: string): MemberReaction | null {
  const prefix = reactionPrefix(me)
  if (!key.startsWith(prefix)) return null
  const [reaction, postId = ''] = key.slice(prefix.length).split('.')
  return reaction === 'like' || reaction === 'save' ? { reaction, postId, me } : null
}

/** Sends the likes and saves that waited for the connection when the app was closed. */
export function resumeReactions(client: QueryClient, me: string): void {
  const commentLikes = commentLikeKey(me, '')
  for (const key of storedKeys(reactionPrefix(me))) {
    const toggle = storedToggles.read(key)
    if (toggle === null) continue
    if (key.startsWith(commentLikes)) syncCommentLike(key.slice(commentLikes.length), me, toggle)
    const pending = parseReactionKey(key, me)
    if (pending === null) continue
    patchPost(client, pending.postId, (post) => APPLY[pending.reaction](post, me, toggle.to))
    syncReaction(client, pending, toggle)
  }
}

/** Shows the likes and saves of the member's other windows on this device. Returns a stop function. */
export function showReactionsOfOtherWindows(client: QueryClient, me: string): () => void {
  const handleStorage = ({ key }: StorageEvent) => {
    const changed = key === null ? null : parseReactionKey(key, me)
    if (key === null || changed === null) return
    const { reaction, postId } = changed
    const toggle = storedToggles.read(key)
    // The server has confirmed or refused the reaction, and only the server knows which.
    if (toggle === null) refreshPost(client, postId)
    else patchPost(client, postId, (post) => APPLY[reaction](post, me, toggle.to))
  }
  addEventListener('storage', handleStorage)
  return () => removeEventListener('storage', handleStorage)
}

/** Shows likes that the member added or removed on another device. Returns a stop function. */
export function showLikesOfOtherDevices(client: QueryClient, me: string): () => void {
  return onIdsChange('likes', ({ type, ids }) => {
    for (const postId of ids) {
      const post = client.getQueryData<Post | null>(postKeys.post(postId))
      if (post == null || reactionSync.desired(reactionKey(me, 'like', postId)) !== undefined) continue
      // Changes of this device are already shown.
      if (post.my_like.length > 0 !== (type === 'INSERT')) refreshPostRow(client, postId)
    }
  })
}

/** Removes the reactions of a deleted account that wait on this device. */
export function forgetReactions(me: string): void {
  for (const key of storedKeys(reactionPrefix(me))) storeItem(key, null)
}

/** Like and save: optimistic, the last press wins, rolled back when the server refuses (FEED-04, FEED-05). */
export function useReactions(post: Post) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return {
    isLiked: post.my_like.length > 0,
    isSaved: post.my_save.length > 0,
    toggleLike: () => react(client, 'like', post.id, me),
    toggleSave: () => react(client, 'save', post.id, me),
    /** Double click on the picture: likes the post, and never removes a like. */
    like: () => react(client, 'like', post.id, me, true),
  }
}
