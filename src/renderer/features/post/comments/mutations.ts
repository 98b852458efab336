import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { isRecord } from '#/renderer/lib/local/local-storage'
import { type OutboxKind, submit } from '#/renderer/lib/outbox'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { trimText } from '#/shared/visible-text'
import { type CommentDraft, commentDraftOf, type ReplyTo } from '../drafts'
import { explainIfGone } from '../gone'
import { COMMENT_KIND, commentScope, postKeys } from '../keys'
import { syncCommentLike } from '../mutations/reactions'
import { patchPost, refreshPost } from '../queries'
import {
  type Comment,
  findComment,
  patchComment,
  putComment,
  removeComments,
  withCommentLike,
} from './queries'

/** Changes the counts of a post, and of the thread of its comments that have changed. */
function changeCounts(client: QueryClient, { post_id, parent_id }: Comment, by: number): void {
  patchPost(client, post_id, (post) => ({ ...post, comment_count: Math.max(0, post.comment_count + by) }))
  if (parent_id === null) return
  patchComment(client, post_id, parent_id, (thread) => ({
    ...thread,
    reply_count: Math.max(0, thread.reply_count + by),
  }))
}

/** A comment as it leaves its field. */
export interface NewComment {
  postId: string
  content: string
  author: Comment['author']
  /** Missing in rows that an earlier version of the app stored. */
  replyTo?: ReplyTo | null
}

/** Comments in the outbox (FEED-07, FEED-19); one scope per post. */
export const commentKind: OutboxKind<NewComment> = {
  name: COMMENT_KIND,
  action: 'send comment',
  accepts: (payload) => {
    if (!isRecord(payload)) return false
    const { postId, content, author } = payload
    const isText = typeof postId === 'string' && typeof content === 'string'
    return isText && isRecord(author) && typeof author.username === 'string'
  },
  send: async ({ id, payload: { postId, content, author, replyTo } }, me, client) => {
    const parent_id = replyTo?.threadId ?? null
    const row = { id, post_id: postId, user_id: me, content, parent_id }
    // Select only columns of the table: with an embed, the embedded server would return an array.
    const saved = await unwrap(
      supabase().from('comments').upsert(row, { ignoreDuplicates: true }).select('created_at').maybeSingle(),
    ).catch((cause: unknown) => {
      explainIfGone(client, postId, cause)
      throw cause
    })
    // An earlier attempt has stored it, and its response was lost.
    if (saved === null) return refreshPost(client, postId)
    // The live event arrived before this response.
    if (findComment(client, postId, id) !== undefined) return
    const comment = { ...row, ...saved, author, like_count: 0, reply_count: 0, my_like: [] }
    changeCounts(client, comment, 1)
    const queryKey = postKeys.comments(postId, parent_id)
    if (client.getQueryData(queryKey) === undefined) return void client.invalidateQueries({ queryKey })
    putComment(client, comment, true)
  },
}

/** Sends a taken comment through the outbox. A failure is only logged, and the form gets the text back (FEED-07). */
export function useSendCommentMutation(postId: string) {
  const { id: me, profile } = useMe()
  const { clear, giveBack } = commentDraftOf(me, postId)
  return useMutation({
    mutationFn: ({ id, text, replyTo }: CommentDraft) => {
      const { username, avatar_url, avatar_path } = profile
      const author = { username, avatar_url, avatar_path }
      const payload = { postId, content: trimText(text), author, replyTo }
      return submit(commentKind, { id, scope: commentScope(postId), payload })
    },
    // Not in the form's callbacks: its card may have scrolled out of the list.
    onSuccess: (_state, { id }) => clear(id),
    onError: (_cause, { id }) => giveBack(id),
    meta: { action: 'send comment' },
  })
}

/**
 * Deletes a comment of the member, or under the member's post, with its replies: optimistic, rolled back when the server
 * refuses.
 */
export function useDeleteCommentMutation(postId: string) {
  const client = useQueryClient()
  const queryKey = postKeys.comments(postId)
  return useMutation({
    meta: { action: 'delete comment' },
    mutationFn: ({ id }: Comment) => unwrap(supabase().rpc('delete_comments', { ids: [id] })),
    onMutate: async (comment) => {
      await client.cancelQueries({ queryKey })
      removeComments(client, postId, [comment.id])
      changeCounts(client, comment, -1 - comment.reply_count)
    },
    onError: (_cause, comment) => {
      putComment(client, comment, true)
      changeCounts(client, comment, 1 + comment.reply_count)
      void client.invalidateQueries({ queryKey })
    },
  })
}

/** Likes a comment, or removes the like: optimistic, the last press wins, rolled back when the server refuses. */
export function useToggleCommentLike(postId: string): (comment: Comment) => void {
  const client = useQueryClient()
  const { id: me } = useMe()
  return ({ id, my_like }) => {
    // From the cache: the comment may not have been rendered again since the last press.
    const isLiked = (findComment(client, postId, id)?.my_like ?? my_like).length > 0
    const show = (isOn: boolean) =>
      patchComment(client, postId, id, (comment) => withCommentLike(comment, me, isOn))
    show(!isLiked)
    syncCommentLike(id, me, { from: isLiked, to: !isLiked }, show)
  }
}
