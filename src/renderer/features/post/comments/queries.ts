import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { onReconnected } from '#/renderer/lib/live'
import { type Cursor, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { STALE } from '#/renderer/lib/queries/query-client'
import { shownCounts, supabase, unwrap } from '#/renderer/lib/server/supabase'
import { COMMENTS_PAGE } from '#/shared/limits'
import { postKeys } from '../keys'
import { commentLikeKey, reactionSync, refreshPost } from '../queries'

/** A comment with its author and the member's like. */
export type Comment = Awaited<ReturnType<typeof loadComments>>[number]

interface CommentPage {
  comments: Comment[]
  /** Absent on the last page. Comments that are written later do not change it. */
  next: Cursor | undefined
}

type CommentPages = InfiniteData<CommentPage, Cursor>

const COMMENT_COLUMNS =
  'id,post_id,user_id,parent_id,content,created_at,like_count,reply_count,author:profiles!comments_user_id_fkey(username,avatar_url,avatar_path),my_like:comment_likes(user_id)'

interface CommentList {
  postId: string
  /** The comment whose replies these are; null for the comments that start a thread. */
  threadId: string | null
}

/** A page of a post's comments or of a comment's replies, oldest first. Throws an `AppError`. */
export function loadComments({ postId, threadId }: CommentList, me: string, after: Cursor) {
  const all = supabase().from('comments').select(shownCounts(COMMENT_COLUMNS)).eq('my_like.user_id', me)
  // Do not filter replies by post too: PostgreSQL would sort all replies instead of reading a page of them from the
  // index of the thread.
  let query =
    threadId === null ? all.eq('post_id', postId).is('parent_id', null) : all.eq('parent_id', threadId)
  if (after !== null) {
    const { createdAt, id } = after
    query = query
      .gte('created_at', createdAt)
      .or(`created_at.gt."${createdAt}",and(created_at.eq."${createdAt}",id.gt.${id})`)
  }
  return unwrap(query.order('created_at').order('id').limit(COMMENTS_PAGE))
}

/** The comments with these ids that the member may see. Throws an `AppError`. */
export function loadCommentsById(ids: readonly string[], me: string): Promise<Comment[]> {
  return unwrap(
    supabase().from('comments').select(shownCounts(COMMENT_COLUMNS)).eq('my_like.user_id', me).in('id', ids),
  )
}

/** A comment with the member's like added or removed; the count changes with it. */
export function withCommentLike(comment: Comment, me: string, isLiked: boolean): Comment {
  if (isLiked === comment.my_like.length > 0) return comment
  return {
    ...comment,
    my_like: isLiked ? [{ user_id: me }] : [],
    like_count: Math.max(0, comment.like_count + (isLiked ? 1 : -1)),
  }
}

/**
 * Comments from the server, with the member's likes that the server did not know when the request was sent.
 * @param request just sent
 */
export async function withPendingLikes(request: Promise<Comment[]>, me: string): Promise<Comment[]> {
  const startedAt = performance.now()
  return (await request).map((comment) => {
    const isLiked = reactionSync.newerThan(startedAt, commentLikeKey(me, comment.id))
    return isLiked === undefined ? comment : withCommentLike(comment, me, isLiked)
  })
}

async function loadCommentPage(list: CommentList, me: string, after: Cursor): Promise<CommentPage> {
  const comments = await withPendingLikes(loadComments(list, me, after), me)
  const next = nextCursor(comments, COMMENTS_PAGE, ({ created_at, id }) => ({ createdAt: created_at, id }))
  return { comments, next }
}

/** Each comment once, oldest first: a new comment of the member may come again with a later page. */
function inOrder({ pages }: CommentPages): Comment[] {
  const byId = new Map(pages.flatMap((page) => page.comments).map((comment) => [comment.id, comment]))
  return [...byId.values()].sort(
    (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1),
  )
}

/**
 * A post's comments in pages, oldest first, with the member's new ones.
 * @param threadId the comment whose replies to read; null for the comments that start a thread
 */
export function useCommentsQuery(postId: string, threadId: string | null = null) {
  const { id: me } = useMe()
  return useInfiniteQuery({ ...commentsOptions(me, { postId, threadId }), select: inOrder })
}

function commentsOptions(me: string, list: CommentList) {
  return infiniteQueryOptions({
    queryKey: postKeys.comments(list.postId, list.threadId),
    queryFn: ({ pageParam }) => loadCommentPage(list, me, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    staleTime: STALE.short,
  })
}

/** Reads the first comments of a post ahead of time. */
export function prefetchComments(client: QueryClient, me: string, postId: string): void {
  void client.prefetchInfiniteQuery(commentsOptions(me, { postId, threadId: null }))
}

/** A single comment, as a link names it; null when it is deleted or hidden, or belongs to another post. */
export function useCommentQuery(postId: string, id: string | null) {
  const { id: me } = useMe()
  return useQuery({
    queryKey: postKeys.comment(id),
    queryFn: async () => {
      const [comment] = await withPendingLikes(loadCommentsById(id === null ? [] : [id], me), me)
      return comment?.post_id === postId ? comment : null
    },
    enabled: id !== null,
    staleTime: STALE.short,
  })
}

/** Refetches a post and its comments after a reconnect: others may have commented meanwhile. */
export function useCommentsAfterReconnect(client: QueryClient, postId: string): void {
  useEffect(() => onReconnected(() => refreshPost(client, postId)), [client, postId])
}

/** Changes the cached comments of a post, in all of its lists. */
export function changeComments(
  client: QueryClient,
  postId: string,
  change: (comments: Comment[]) => Comment[],
): void {
  client.setQueriesData<CommentPages>(
    { queryKey: postKeys.comments(postId) },
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, comments: change(page.comments) })) },
  )
  const ofPost = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    client.getQueryData<Comment | null>(queryKey)?.post_id === postId
  client.setQueriesData<Comment | null>(
    { queryKey: postKeys.linkedComments, predicate: ofPost },
    (comment) => comment && (change([comment])[0] ?? null),
  )
}

/** Changes one cached comment, e.g. its counts. */
export function patchComment(
  client: QueryClient,
  postId: string,
  id: string,
  change: (comment: Comment) => Comment,
): void {
  changeComments(client, postId, (comments) =>
    comments.some((comment) => comment.id === id)
      ? comments.map((comment) => (comment.id === id ? change(comment) : comment))
      : comments,
  )
}

/** A cached comment; undefined when it is not loaded. */
export function findComment(client: QueryClient, postId: string, id: string): Comment | undefined {
  return client
    .getQueriesData<CommentPages>({ queryKey: postKeys.comments(postId) })
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ comments }) => comments)
    .find((comment) => comment.id === id)
}

/** Whether all comments of a list are loaded. */
function isComplete(data: CommentPages | undefined): boolean {
  return data !== undefined && data.pages.at(-1)?.next === undefined
}

/**
 * Adds a comment to the last page, or replaces it; the list sorts them. A comment of another member is added only if
 * the list is loaded to its end, because elsewhere it would follow a gap.
 */
export function putComment(client: QueryClient, comment: Comment, isOwn: boolean): void {
  const { id, post_id, parent_id } = comment
  if (findComment(client, post_id, id) !== undefined) {
    patchComment(client, post_id, id, () => comment)
    return
  }
  client.setQueryData<CommentPages>(postKeys.comments(post_id, parent_id), (data) => {
    if (data === undefined || !(isOwn || isComplete(data))) return data
    const last = data.pages.length - 1
    const pages = data.pages.map((page, index) =>
      index === last ? { ...page, comments: [...page.comments, comment] } : page,
    )
    return { ...data, pages }
  })
}

/** Removes comments with their replies from the cache. */
export function removeComments(client: QueryClient, postId: string, ids: readonly string[]): void {
  changeComments(client, postId, (comments) =>
    comments.some(({ id }) => ids.includes(id)) ? comments.filter(({ id }) => !ids.includes(id)) : comments,
  )
  for (const id of ids) client.removeQueries({ queryKey: postKeys.comments(postId, id), type: 'inactive' })
}
