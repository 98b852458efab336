import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { PROFILE_KEY } from '#/renderer/features/people'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { refetch } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { ANSWERING, type Answer, MARKING, notificationKeys } from './keys'
import { type FollowRequest, type NotificationGroup, type NotificationPages, useUnreadCount } from './queries'

/** Marks a member's unread notifications as read; callers add filters. */
export function markUnread(me: string) {
  return supabase().from('notifications').update({ read: true }).eq('user_id', me).eq('read', false)
}

/** Shows groups as read, or as unread again. */
function showAsRead(client: QueryClient, keys: ReadonlySet<string>, read: boolean): void {
  client.setQueryData<NotificationPages>(
    notificationKeys.list,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          groups: page.groups.map((group) => (keys.has(group.group_key) ? { ...group, read } : group)),
        })),
      },
  )
}

/** A group as far as the list shows it. */
type ListedGroup = Pick<NotificationGroup, 'group_key' | 'created_at'>

/** Notifications per request: their ids are in its URL. */
const MARKED_AT_ONCE = 100
/** Requests for one group: a server may take marks and keep the notifications unread. */
const MARKS_MOST = 100

/** Marks the notifications of a group by id, and none that arrived after the latest one that the list shows. */
async function markGroup(me: string, { group_key, created_at }: ListedGroup): Promise<void> {
  for (let marks = 0; marks < MARKS_MOST; marks += 1) {
    const unread = await unwrap(
      supabase()
        .from('notifications')
        .select('id')
        .eq('user_id', me)
        .eq('group_key', group_key)
        .eq('read', false)
        .lte('created_at', created_at)
        .limit(MARKED_AT_ONCE),
    )
    if (unread.length > 0) {
      await unwrap(
        markUnread(me).in(
          'id',
          unread.map(({ id }) => id),
        ),
      )
    }
    if (unread.length < MARKED_AT_ONCE) return
  }
}

/** One update marks this many notifications at most, which takes less than a second. */
const MARKED_MOST = 500

/** Marks all notifications, the oldest first. There may be thousands. */
async function markAll(me: string): Promise<void> {
  let marked = new Date(0).toISOString()
  for (let marks = 0; marks < MARKS_MOST; marks += 1) {
    const [last]: { created_at: string }[] = await unwrap(
      supabase()
        .from('notifications')
        .select('created_at')
        .eq('user_id', me)
        .eq('read', false)
        .gt('created_at', marked)
        .order('created_at')
        .range(MARKED_MOST - 1, MARKED_MOST - 1),
    )
    if (last === undefined) break
    marked = last.created_at
    await unwrap(markUnread(me).lte('created_at', marked))
  }
  await unwrap(markUnread(me))
}

/** Marks all notifications, or those of a group, as read: optimistic, with a rollback if the server refuses. */
export function markReadOptions(client: QueryClient, me: string) {
  return mutationOptions({
    mutationKey: MARKING,
    meta: { action: 'mark notification as read', isAutomatic: true },
    mutationFn: async (group: ListedGroup | 'all') => {
      if (group === 'all') await markAll(me)
      else await markGroup(me, group)
    },
    onMutate: async (marking) => {
      // A response in flight does not contain this change.
      await client.cancelQueries({ queryKey: notificationKeys.list })
      const pages = client.getQueryData<NotificationPages>(notificationKeys.list)?.pages ?? []
      const list = pages.flatMap(({ groups }) => groups)
      const unread = list.filter(
        (group) => !group.read && (marking === 'all' || group.group_key === marking.group_key),
      )
      const marked: ReadonlySet<string> = new Set(unread.map(({ group_key }) => group_key))
      showAsRead(client, marked, true)
      return marked
    },
    onError: (_cause, _marking, marked) => {
      // Roll back only these: others may have arrived since.
      if (marked !== undefined) showAsRead(client, marked, false)
    },
    // The cancelled fetch may have contained a new notification. Only the last of several mutations refetches, because
    // an earlier response would show the pending ones as unread.
    onSettled: () => {
      if (client.isMutating({ mutationKey: MARKING }) === 1) void refetch(client, notificationKeys.all)
    },
  })
}

export function useMarkReadMutation() {
  const { id: me } = useMe()
  return useMutation(markReadOptions(useQueryClient(), me))
}

/**
 * Marks visible requests as read: a request stays until it is answered, but counts as unread only once. By requester,
 * because requests may be visible before the notifications are loaded.
 */
export function useMarkVisibleAsRead(requests: readonly FollowRequest[]): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  const hasUnread = useUnreadCount() > 0
  useEffect(() => {
    if (!hasUnread || requests.length === 0) return
    const requesterIds = requests.map(({ requester_id }) => requester_id)
    unwrap(markUnread(me).eq('about', 'follow_request').in('actor_id', requesterIds))
      .then(() => refetch(client, notificationKeys.all))
      .catch((cause: unknown) => logFailure('mark request as seen', cause))
  }, [client, me, hasUnread, requests])
}

/** After accepting a request, marks the notification of the new follow as read: the member already knows. */
async function markFollowAsRead(me: string, followerId: string): Promise<void> {
  await unwrap(markUnread(me).eq('type', 'follow').eq('actor_id', followerId))
}

async function sendAnswer(me: string, { requesterId, isAccepted }: Answer): Promise<void> {
  if (!isAccepted) {
    await unwrap(supabase().rpc('end_follow', { follower: requesterId, following: me }))
    return
  }
  try {
    await unwrap(supabase().rpc('accept_follow_request', { requester: requesterId }))
  } catch (cause) {
    // The request has been withdrawn, so there is nothing to accept.
    if (!(cause instanceof AppError && cause.code === 'not-found')) throw cause
    return
  }
  await markFollowAsRead(me, requesterId).catch((cause: unknown) => logFailure('mark follow as seen', cause))
}

/** Accepts or declines a request: optimistic, with a rollback if the server refuses. */
export function answerRequestOptions(client: QueryClient, me: string) {
  return mutationOptions({
    mutationKey: ANSWERING,
    mutationFn: (answer: Answer) => sendAnswer(me, answer),
    onMutate: async ({ requesterId }) => {
      await client.cancelQueries({ queryKey: notificationKeys.requests })
      const list = client.getQueryData<FollowRequest[]>(notificationKeys.requests) ?? []
      const index = list.findIndex((request) => request.requester_id === requesterId)
      client.setQueryData<FollowRequest[]>(notificationKeys.requests, (list) =>
        list?.filter((request) => request.requester_id !== requesterId),
      )
      return { request: list[index], index }
    },
    onError: async (cause, { requesterId }, removed) => {
      logFailure('answer follow request', cause)
      if (removed?.request === undefined) return
      const { request, index } = removed
      // Roll back here, because a refetch may fail too.
      await client.cancelQueries({ queryKey: notificationKeys.requests })
      client.setQueryData<FollowRequest[]>(notificationKeys.requests, (list) =>
        list?.some((each) => each.requester_id === requesterId) ? list : list?.toSpliced(index, 0, request),
      )
    },
    onSuccess: () => client.invalidateQueries({ queryKey: PROFILE_KEY }),
    onSettled: () => {
      if (client.isMutating({ mutationKey: ANSWERING }) === 1) void refetch(client, notificationKeys.all)
      // This fetch started before the answer; the last of several answers refetches.
      else void client.cancelQueries({ queryKey: notificationKeys.requests })
    },
  })
}

export function useAnswerRequestMutation() {
  const { id: me } = useMe()
  return useMutation(answerRequestOptions(useQueryClient(), me))
}
