import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { type Cursor, nextCursor } from '#/renderer/lib/keyset'
import { onReconnected } from '#/renderer/lib/live'
import { type OutboxKind, type OutboxRow, submit, usePending } from '#/renderer/lib/outbox'
import { refetch, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { COMMENTS_PAGE } from '#/shared/limits'
import { type CommentDraft, useCommentDraft } from './drafts'
import { patchPost, postKeys } from './queries'

export type Comment = Awaited<ReturnType<typeof loadComments>>[number]

interface CommentPage {
  comments: Comment[]
  /** Absent when this was the last page. What is added later does not move it. */
  next: Cursor | undefined
}

type Pages = InfiniteData<CommentPage, Cursor>

const COLUMNS =
  'id,post_id,user_id,content,created_at,author:profiles!comments_user_id_fkey(username,avatar_url)'

const commentKeys = {
  list: (postId: string) => ['comments', postId] as const,
}

/** Has a post and its comments read again where they are shown, and before they are shown next: others left something there. */
export function refreshPost(client: QueryClient, id: string): void {
  void refetch(client, commentKeys.list(id))
  // Not by the client's own means: a list that shows the post says that it need not be read again.
  const post = client.getQueryCache().find({ queryKey: postKeys.post(id) })
  post?.invalidate()
  // A failure is logged, and what was read before stays.
  if (post?.isActive()) post.fetch(undefined, { cancelRefetch: true }).catch(() => undefined)
}

/** A page of a post's comments, oldest first. Throws an `AppError`. */
export function loadComments(postId: string, after: Cursor) {
  let query = supabase().from('comments').select(COLUMNS).eq('post_id', postId)
  if (after !== null) {
    const { createdAt, id } = after
    query = query
      .gte('created_at', createdAt)
      .or(`created_at.gt."${createdAt}",and(created_at.eq."${createdAt}",id.gt.${id})`)
  }
  return unwrap(query.order('created_at').order('id').limit(COMMENTS_PAGE))
}

async function loadPage(postId: string, after: Cursor): Promise<CommentPage> {
  const comments = await loadComments(postId, after)
  const next = nextCursor(comments, COMMENTS_PAGE, ({ created_at, id }) => ({ createdAt: created_at, id }))
  return { comments, next }
}

/** Every comment once, oldest first: one's own new one may come again with a later page. */
function inOrder({ pages }: Pages): Comment[] {
  const byId = new Map(pages.flatMap((page) => page.comments).map((comment) => [comment.id, comment]))
  return [...byId.values()].sort(
    (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1),
  )
}

/** A post's comments in pages, oldest first; one's own new ones are among them at once. */
export function useCommentsQuery(postId: string) {
  return useInfiniteQuery({
    queryKey: commentKeys.list(postId),
    queryFn: ({ pageParam }) => loadPage(postId, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.next,
    staleTime: STALE.short,
    select: inOrder,
  })
}

/** Reads a post and its comments again once a lost connection is back: others may have commented meanwhile. */
export function useCommentsAfterReconnect(postId: string): void {
  const client = useQueryClient()
  useEffect(() => onReconnected(() => refreshPost(client, postId)), [client, postId])
}

function changeComments(
  data: Pages | undefined,
  change: (comments: Comment[], isLast: boolean) => Comment[],
) {
  if (data === undefined) return data
  const last = data.pages.length - 1
  return {
    ...data,
    pages: data.pages.map((page, index) => ({ ...page, comments: change(page.comments, index === last) })),
  }
}

/** A comment as it leaves its field. */
interface NewComment {
  postId: string
  content: string
  author: Comment['author']
}

/** Comments in the outbox (FEED-07, FEED-13); one scope per post. */
export const commentKind: OutboxKind<NewComment> = {
  name: 'comment',
  action: 'send comment',
  send: async ({ id, payload: { postId, content, author } }, me, client) => {
    const row = { id, post_id: postId, user_id: me, content }
    // The row's own columns only: with an embed here the embedded server would return an array.
    const saved = await unwrap(
      supabase().from('comments').upsert(row, { ignoreDuplicates: true }).select('created_at').maybeSingle(),
    )
    // An earlier attempt had stored it, and its response was lost.
    if (saved === null) return refreshPost(client, postId)
    const key = commentKeys.list(postId)
    patchPost(client, postId, (post) => ({ ...post, comment_count: post.comment_count + 1 }))
    if (client.getQueryData(key) === undefined) return void client.invalidateQueries({ queryKey: key })
    const comment = { ...row, created_at: saved.created_at, author }
    client.setQueryData<Pages>(key, (data) =>
      changeComments(data, (comments, isLast) => (isLast ? [...comments, comment] : comments)),
    )
  },
}

function commentScope(postId: string): string {
  return `comment ${postId}`
}

/** The member's comments on a post that wait for the connection, or were refused after that (FEED-13). */
export function usePendingComments(postId: string): OutboxRow<NewComment>[] {
  return usePending(commentKind, commentScope(postId))
}

/** Sends a comment through the outbox. A failure is only logged, and the form keeps the text (FEED-07). */
export function useSendCommentMutation(postId: string) {
  const { clear } = useCommentDraft(postId)
  const { profile } = useMe()
  return useMutation({
    mutationFn: ({ id, text }: CommentDraft) => {
      const author = { username: profile.username, avatar_url: profile.avatar_url }
      const payload = { postId, content: text.trim(), author }
      return submit(commentKind, { id, scope: commentScope(postId), payload })
    },
    // Here and not with the call: the card may have scrolled away meanwhile.
    onSuccess: (_state, { id }) => clear(id),
    meta: { action: 'send comment' },
  })
}

/** Deletes one's own comment (or, for a post's author, one under it): gone at once, back if the server refuses. */
export function useDeleteCommentMutation(postId: string) {
  const client = useQueryClient()
  const key = commentKeys.list(postId)
  return useMutation({
    meta: { action: 'delete comment' },
    mutationFn: (id: string) => unwrap(supabase().from('comments').delete().eq('id', id)),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: key })
      const pages = client.getQueryData<Pages>(key)?.pages ?? []
      const deleted = pages.flatMap((page) => page.comments).find((comment) => comment.id === id)
      client.setQueryData<Pages>(key, (data) =>
        changeComments(data, (comments) => comments.filter((comment) => comment.id !== id)),
      )
      patchPost(client, postId, (post) => ({ ...post, comment_count: Math.max(0, post.comment_count - 1) }))
      return { deleted }
    },
    onError: (_cause, _id, context) => {
      const deleted = context?.deleted
      // The list sorts its comments, so the last page is as good as the one that it was on.
      client.setQueryData<Pages>(key, (data) =>
        changeComments(data, (comments, isLast) =>
          isLast && deleted !== undefined ? [...comments, deleted] : comments,
        ),
      )
      patchPost(client, postId, (post) => ({ ...post, comment_count: post.comment_count + 1 }))
      void client.invalidateQueries({ queryKey: key })
    },
  })
}
