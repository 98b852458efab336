import {
  mutationOptions,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { useConnection } from '#/renderer/lib/live'
import { refetch, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { NOTIFICATIONS_SHOWN } from '#/shared/limits'

export type Notification = Awaited<ReturnType<typeof loadNotifications>>[number]

export const notificationKeys = {
  all: ['notifications'] as const,
  unread: ['notifications', 'unread'] as const,
  list: ['notifications', 'list'] as const,
  requests: ['notifications', 'requests'] as const,
}

export async function loadNotifications(me: string) {
  const rows = await unwrap(
    supabase()
      .from('notifications')
      .select(
        'id,type,read,message,about,created_at,post_id,story_id,actor_id,actor:profiles!notifications_actor_id_fkey(username,avatar_url),post:posts!notifications_post_id_fkey(id,content),comment:comments!notifications_comment_id_fkey(id,content)',
      )
      .eq('user_id', me)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(NOTIFICATIONS_SHOWN),
  )
  // Row security may hide the member but not the row: the embed is null then.
  return rows.filter(({ actor }) => actor !== null)
}

export function countUnread() {
  return unwrap(supabase().rpc('unread_notifications'))
}

/**
 * The unread count, up to ten: more shows as '9+'. Updated by live events (`useLiveNotifications`), and polled once a
 * minute while they are missing. Refetched on focus, because notifications may have been deleted or read in another
 * window.
 */
export function useUnreadCount(): number {
  const { state } = useConnection()
  const { data = 0 } = useQuery({
    queryKey: notificationKeys.unread,
    queryFn: countUnread,
    refetchInterval: state === 'lost' && STALE.minute,
    // Also in the tray, whose icon shows the count.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: true,
    staleTime: STALE.short,
  })
  return data
}

/** The latest notifications, newest first; loaded when the bell opens. */
export function useNotificationsQuery() {
  const { id: me } = useMe()
  return useQuery({ queryKey: notificationKeys.list, queryFn: () => loadNotifications(me), staleTime: 0 })
}

/** Marks a member's unread notifications as read; callers add filters. */
export function markUnread(me: string) {
  return supabase().from('notifications').update({ read: true }).eq('user_id', me).eq('read', false)
}

/** Mutation key of answers to follow requests. */
export const ANSWERING = ['answer follow request'] as const

const MARKING = ['mark notification as read'] as const

/** Shows notifications as read, or as unread again. */
function showAsRead(client: QueryClient, ids: ReadonlySet<string>, read: boolean): void {
  client.setQueryData<Notification[]>(notificationKeys.list, (list) =>
    list?.map((item) => (ids.has(item.id) ? { ...item, read } : item)),
  )
}

/** Marks one or all notifications as read: optimistic, with a rollback if the server refuses. */
export function markReadOptions(client: QueryClient, me: string) {
  return mutationOptions({
    mutationKey: MARKING,
    meta: { action: 'mark notification as read' },
    mutationFn: (id: string | 'all') => unwrap(id === 'all' ? markUnread(me) : markUnread(me).eq('id', id)),
    onMutate: async (id) => {
      // A response in flight does not contain this change.
      await client.cancelQueries({ queryKey: notificationKeys.list })
      const list = client.getQueryData<Notification[]>(notificationKeys.list) ?? []
      const unread = list.filter((item) => !item.read && (id === 'all' || item.id === id))
      const marked: ReadonlySet<string> = new Set(unread.map((item) => item.id))
      showAsRead(client, marked, true)
      return marked
    },
    onError: (_cause, _id, marked) => {
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
