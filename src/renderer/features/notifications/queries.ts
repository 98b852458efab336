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
  // Row security may hide the member and not the row: an embed is null then.
  return rows.filter(({ actor }) => actor !== null)
}

export function countUnread() {
  return unwrap(supabase().rpc('unread_notifications'))
}

/**
 * How many are unread: the server counts up to ten, all above is '9+'. Told live (`useLiveNotifications`); asked once
 * a minute only while nothing is. What went away, or was read in another window, shows when this one comes back.
 */
export function useUnreadCount(): number {
  const { state } = useConnection()
  const { data = 0 } = useQuery({
    queryKey: notificationKeys.unread,
    queryFn: countUnread,
    refetchInterval: state === 'lost' && STALE.minute,
    // In the tray too, whose number it is.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: true,
    staleTime: STALE.short,
  })
  return data
}

/** The latest notifications, newest first; read when the bell is opened. */
export function useNotificationsQuery() {
  const { id: me } = useMe()
  return useQuery({ queryKey: notificationKeys.list, queryFn: () => loadNotifications(me), staleTime: 0 })
}

/** Marks what is unread of a member's notifications as read; narrowed down by who calls it. */
export function markUnread(me: string) {
  return supabase().from('notifications').update({ read: true }).eq('user_id', me).eq('read', false)
}

/** Begins what answers a request to follow. */
export const ANSWERING = ['answer follow request'] as const

const MARKING = ['mark notification as read'] as const

/** Shows these as read, or as unread again. */
function showAsRead(client: QueryClient, ids: ReadonlySet<string>, read: boolean): void {
  client.setQueryData<Notification[]>(notificationKeys.list, (list) =>
    list?.map((item) => (ids.has(item.id) ? { ...item, read } : item)),
  )
}

/** Marks one as read, or all unread ones at once: on screen at once, put back when the server refuses. */
export function markReadOptions(client: QueryClient, me: string) {
  return mutationOptions({
    mutationKey: MARKING,
    meta: { action: 'mark notification as read' },
    mutationFn: (id: string | 'all') => unwrap(id === 'all' ? markUnread(me) : markUnread(me).eq('id', id)),
    onMutate: async (id) => {
      // An answer that does not know of this yet.
      await client.cancelQueries({ queryKey: notificationKeys.list })
      const list = client.getQueryData<Notification[]>(notificationKeys.list) ?? []
      const unread = list.filter((item) => !item.read && (id === 'all' || item.id === id))
      const marked: ReadonlySet<string> = new Set(unread.map((item) => item.id))
      showAsRead(client, marked, true)
      return marked
    },
    onError: (_cause, _id, marked) => {
      // These alone: others may have arrived since.
      if (marked !== undefined) showAsRead(client, marked, false)
    },
    // What was cancelled may have been about one that arrives. The last of several alone: what is read before would
    // show those as unread that are on their way.
    onSettled: () => {
      if (client.isMutating({ mutationKey: MARKING }) === 1) void refetch(client, notificationKeys.all)
    },
  })
}

export function useMarkReadMutation() {
  const { id: me } = useMe()
  return useMutation(markReadOptions(useQueryClient(), me))
}
