import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/core/logger'
import { createThrottle } from '#/renderer/lib/core/schedule'
import { type CommentNotice, joinPost } from '#/renderer/lib/live'
import { refreshPost, refreshPostRow } from '../queries'
import {
  loadCommentsById,
  putComment,
  removeComments,
  useCommentsAfterReconnect,
  withPendingLikes,
} from './queries'

/** Maximum number of comments that the server names in one notice. */
const NAMED = 80

/** Shows new comments and removes deleted ones; the threads that they belong to get their counts. */
async function apply(client: QueryClient, postId: string, me: string, notices: readonly CommentNotice[]) {
  if (notices.some(({ ids }) => ids.length >= NAMED)) return refreshPost(client, postId)
  const deleted = notices.filter(({ type }) => type === 'DELETE').flatMap(({ ids }) => ids)
  removeComments(client, postId, deleted)
  const changed = new Set(
    notices.flatMap(({ type, ids, threads }) => [...(type === 'INSERT' ? ids : []), ...(threads ?? [])]),
  )
  for (const id of deleted) changed.delete(id)
  const comments = changed.size === 0 ? [] : await withPendingLikes(loadCommentsById([...changed], me), me)
  for (const comment of comments) putComment(client, comment, comment.user_id === me)
  refreshPostRow(client, postId)
}

/** Follows the comments of a post. Returns a function that stops it. */
export function followComments(client: QueryClient, postId: string, me: string): () => void {
  let notices: CommentNotice[] = []
  const applySoon = createThrottle(() => {
    const pending = notices
    notices = []
    apply(client, postId, me, pending).catch((cause: unknown) => {
      logFailure('live comments', cause)
      refreshPost(client, postId)
    })
  })
  return joinPost(postId, {
    onDeleted: () => refreshPostRow(client, postId),
    onComments: (notice) => {
      notices.push(notice)
      applySoon()
    },
    onJoined: () => refreshPost(client, postId),
  })
}

/** Keeps the comments of a post that is shown current: everybody's, live (FEED-15). */
export function useLiveComments(postId: string): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  useCommentsAfterReconnect(client, postId)
  useEffect(() => followComments(client, postId, me), [client, postId, me])
}
