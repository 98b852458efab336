import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { forgetOnDisk } from '#/renderer/lib/disk-cache/persist'
import { storedKeys } from '#/renderer/lib/draft-store'
import { logFailure } from '#/renderer/lib/logger'
import { removeMedia } from '#/renderer/lib/media-store'
import { storedToggles } from '#/renderer/lib/stored-toggles'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import type { StoredToggle } from '#/renderer/lib/toggle-sync'
import type { TablesUpdate } from '#/shared/database.types'
import { syncCommentLike } from './comments/mutations'
import { commentLikeKey, refreshPost } from './comments/queries'
import { postEdits } from './drafts'
import { postKeys } from './keys'
import { ALT_FIELDS, orNull, type PostEdit, wordColumns } from './model'
import {
  forgetPost,
  type Post,
  patchPost,
  pathsOf,
  type Reaction,
  reactionKey,
  reactionPrefix,
  reactionSync,
  refreshGrids,
  withLike,
  withSave,
} from './queries'

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
    // The server has confirmed or refused it: only the server knows which.
    if (toggle === null) refreshPost(client, postId)
    else patchPost(client, postId, (post) => APPLY[reaction](post, me, toggle.to))
  }
  addEventListener('storage', handleStorage)
  return () => removeEventListener('storage', handleStorage)
}

/** Removes the reactions of a deleted account that wait on this device. */
export function forgetReactions(me: string): void {
  for (const key of storedKeys(reactionPrefix(me))) localStorage.removeItem(key)
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
    /** A double click on the picture likes, and never removes a like. */
    like: () => react(client, 'like', post.id, me, true),
  }
}

/** Saves the texts of a post with photos in Storage, whose own rows have the alt texts. */
export async function savePhotoWords(
  id: string,
  columns: Pick<TablesUpdate<'posts'>, 'content' | 'location'>,
  altTexts: readonly (string | null)[],
): Promise<void> {
  for (const [position, alt_text] of altTexts.entries()) await saveAltText(id, position, alt_text)
  await saveWords(id, columns)
}

function saveAltText(id: string, position: number, alt_text: string | null) {
  const photos = supabase().from('post_photos')
  return unwrap(photos.update({ alt_text }).eq('post_id', id).eq('position', position))
}

function saveWords(id: string, columns: TablesUpdate<'posts'>) {
  const posts = supabase().from('posts')
  return unwrap(
    posts.update(columns).eq('id', id).select('content,location,alt_text,edited_at').maybeSingle(),
  )
}

/** Saves the texts of the member's post. A failure is only logged, and the form keeps them. */
export function useEditPostMutation({ id, photos }: Post, hasPicture: boolean) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async (edit: PostEdit) => {
      if (photos.length === 0) return saveWords(id, wordColumns(edit, hasPicture))
      const { alt_text: _, ...columns } = wordColumns(edit, false)
      for (const [position, { alt_text }] of photos.entries()) {
        const changed = altTextAt(edit, position)
        if (changed !== alt_text) await saveAltText(id, position, changed)
      }
      return saveWords(id, columns)
    },
    onSuccess: (saved, edit) => {
      postEdits.markSaved(me, id, edit)
      if (saved === null) forgetPost(client, id)
      else patchPost(client, id, (post) => withEdit({ ...post, ...saved }, edit))
      refreshGrids(client)
    },
    meta: { action: 'edit post' },
  })
}

function altTextAt(edit: PostEdit, position: number): string | null {
  return orNull(edit[ALT_FIELDS[position] ?? 'altText'])
}

/** A post with the saved alt texts of its photos in Storage. */
function withEdit(post: Post, edit: PostEdit): Post {
  const photos = post.photos.map((photo, position) => ({ ...photo, alt_text: altTextAt(edit, position) }))
  return { ...post, photos }
}

/** Deletes the member's post, then its objects; lists that show it remove it. */
export function useDeletePostMutation(onDeleted?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => unwrap(supabase().from('posts').delete().eq('id', id)),
    onSuccess: (_response, id) => {
      const post = client.getQueryData<Post | null>(postKeys.post(id))
      if (post != null) void removeMedia(pathsOf(post))
      onDeleted?.()
      forgetPost(client, id)
      refreshGrids(client)
      // The grids on disk that are not in memory.
      forgetOnDisk(client, [['grid']])
    },
    meta: { action: 'delete post' },
  })
}
