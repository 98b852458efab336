import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { PROFILE_KEY } from '#/renderer/features/people'
import { AppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { refetch } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { NOTIFICATIONS_SHOWN } from '#/shared/limits'
import { ANSWERING, markUnread, type Notification, notificationKeys, useUnreadCount } from './queries'

export type FollowRequest = Awaited<ReturnType<typeof loadRequests>>[number]

/** Loads follow requests, newest first. */
export async function loadRequests(me: string) {
  const rows = await unwrap(
    supabase()
      .from('follow_requests')
      .select(
        'requester_id,created_at,requester:profiles!follow_requests_requester_id_fkey(username,avatar_url)',
      )
      .eq('target_id', me)
      .order('created_at', { ascending: false })
      .order('requester_id', { ascending: false })
      .limit(NOTIFICATIONS_SHOWN),
  )
  // Row security may hide the member but not the row: the embed is null then.
  return rows.filter(({ requester }) => requester !== null)
}

/** The requests without an answer in flight. */
function unanswered(client: QueryClient, list: readonly FollowRequest[]): FollowRequest[] {
  const answers = client.getMutationCache().findAll({ mutationKey: ANSWERING, status: 'pending' })
  const answered = new Set(answers.map(({ state }) => (state.variables as Answer).requesterId))
  return list.filter(({ requester_id }) => !answered.has(requester_id))
}

export function followRequestsOptions(client: QueryClient, me: string) {
  return queryOptions({
    queryKey: notificationKeys.requests,
    // A response during an answer may still contain the request.
    queryFn: async () => unanswered(client, await loadRequests(me)),
    staleTime: 0,
  })
}

/** Follow requests; loaded when the bell opens. */
export function useFollowRequestsQuery() {
  const { id: me } = useMe()
  return useQuery(followRequestsOptions(useQueryClient(), me))
}

/** The notifications without those of requests that are shown above them. */
export function withoutRequests(
  list: readonly Notification[] = [],
  requests: readonly FollowRequest[],
): Notification[] {
  const askers = new Set(requests.map(({ requester_id }) => requester_id))
  return list.filter(({ about, actor_id }) => about !== 'follow_request' || !askers.has(actor_id))
}

/**
 * Marks visible requests as read: a request stays until it is answered, but counts as unread only once. By requester,
 * because requests may be visible before the notifications are loaded.
 */
export function useMarkVisibleAsRead(requests: readonly FollowRequest[]): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  const hasNews = useUnreadCount() > 0
  useEffect(() => {
    if (!hasNews || requests.length === 0) return
    const askers = requests.map(({ requester_id }) => requester_id)
    unwrap(markUnread(me).eq('about', 'follow_request').in('actor_id', askers))
      .then(() => refetch(client, notificationKeys.all))
      .catch((cause: unknown) => logFailure('mark request as seen', cause))
  }, [client, me, hasNews, requests])
}

/** After accepting a request, marks the notification of the new follow as read: the member already knows. */
async function markFollowAsRead(me: string, followerId: string): Promise<void> {
  await unwrap(markUnread(me).eq('type', 'follow').eq('actor_id', followerId))
}

interface Answer {
  requesterId: string
  isAccepted: boolean
}

async function send(me: string, { requesterId, isAccepted }: Answer): Promise<void> {
  if (!isAccepted) {
    await unwrap(
      supabase().from('follow_requests').delete().eq('requester_id', requesterId).eq('target_id', me),
    )
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
    mutationFn: (given: Answer) => send(me, given),
    onMutate: async ({ requesterId }) => {
      await client.cancelQueries({ queryKey: notificationKeys.requests })
      const list = client.getQueryData<FollowRequest[]>(notificationKeys.requests) ?? []
      const index = list.findIndex((request) => request.requester_id === requesterId)
      client.setQueryData<FollowRequest[]>(notificationKeys.requests, (list) =>
        list?.filter((request) => request.requester_id !== requesterId),
      )
      return { request: list[index], index }
    },
    onError: async (cause, { requesterId }, taken) => {
      logFailure('answer follow request', cause)
      if (taken?.request === undefined) return
      const { request, index } = taken
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
