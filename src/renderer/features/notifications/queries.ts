import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AvatarMember } from '#/renderer/components/Avatar'
import { useMe } from '#/renderer/features/auth'
import { useStoryThumbnailQuery } from '#/renderer/features/stories'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { changeSource, useConnection } from '#/renderer/lib/live'
import type { PictureSource } from '#/renderer/lib/media-store'
import { createThumbnailLoader } from '#/renderer/lib/media-store/thumbnails'
import { type Cursor, firstPage, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { STALE } from '#/renderer/lib/queries/query-client'
import { toCount } from '#/renderer/lib/server/checks/checked-values'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { NOTIFICATIONS_PAGE } from '#/shared/limits'
import { ANSWERING, type Answer, notificationKeys } from './keys'

/** A member who caused notifications of a group. */
export interface Actor extends AvatarMember {
  id: string
  is_private: boolean
}

/** Notifications of the same type about the same item. The columns are those of its latest notification. */
export interface NotificationGroup {
  /** The id of its latest notification. */
  id: string
  group_key: string
  type: string
  about: string | null
  message: string | null
  post_id: string | null
  comment_id: string | null
  story_id: string | null
  created_at: string
  /** Whether all of them are read. */
  read: boolean
  /** The text of the comment or post. */
  content: string | null
  /** How many members caused them; counts up to one more than `GROUP_ACTORS_MAX` notifications. */
  actor_count: number
  /** The latest one or two of these members. */
  actors: readonly [Actor, Actor?]
}

export interface NotificationPage {
  groups: NotificationGroup[]
  /** Absent on the last page. */
  next: Cursor | undefined
}

export type NotificationPages = InfiniteData<NotificationPage, Cursor>

/** The generated type does not know which columns may be null, nor what `actors` contains. */
type Row = Omit<NotificationGroup, 'actors'> & { actors: NotificationGroup['actors'] | null }

/** A page of groups of notifications, latest first. Throws an `AppError`. */
export async function loadNotificationGroups(after: Cursor): Promise<NotificationPage> {
  const from = after === null ? {} : { before_at: after.createdAt, before_id: after.id }
  const rows = (await unwrap(supabase().rpc('notification_groups', from))) as unknown as Row[]
  // The server stops after a limited number of rows. Then the last row has no content, only the position to continue
  // from.
  const hasStopped = rows.at(-1)?.actor_count === 0
  return {
    // Row security may hide the members but not the rows.
    groups: rows.flatMap(({ actors, ...group }) => (actors?.[0] === undefined ? [] : [{ ...group, actors }])),
    next: nextCursor(rows, hasStopped ? rows.length : NOTIFICATIONS_PAGE, ({ created_at, id }) => ({
      createdAt: created_at,
      id,
    })),
  }
}

export const NOTIFICATION_COLUMNS =
  'id,user_id,actor_id,type,about,read,message,created_at,post_id,story_id,comment_id,group_key'

/** Live changes of the member's notifications. */
export const notificationChanges = changeSource('notifications', NOTIFICATION_COLUMNS, (ids) =>
  unwrap(supabase().from('notifications').select(NOTIFICATION_COLUMNS).in('id', ids)),
)

export async function countUnread(): Promise<number> {
  return toCount(await unwrap(supabase().rpc('unread_notifications')))
}

/**
 * The number of unread notifications, up to ten: more shows as '9+'. Updated by live events (`useLiveNotifications`), and polled once a
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

/** Groups of notifications in pages, latest first; loaded when the bell opens. */
export function useNotificationsQuery() {
  const client = useQueryClient()
  // Only the first page is kept: opening the bell refetches every page that it has.
  useEffect(
    () => () => void client.setQueryData<NotificationPages>(notificationKeys.list, firstPage),
    [client],
  )
  return useInfiniteQuery({
    queryKey: notificationKeys.list,
    queryFn: ({ pageParam }) => loadNotificationGroups(pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    // A group that moved up while pages were loaded must not appear twice.
    select: ({ pages }) => [
      ...new Map(pages.flatMap(({ groups }) => groups).map((group) => [group.group_key, group])).values(),
    ],
    staleTime: 0,
  })
}

export type FollowRequest = Awaited<ReturnType<typeof loadRequests>>[number]

/** Loads follow requests, newest first. */
export async function loadRequests(me: string) {
  const rows = await unwrap(
    supabase()
      .from('follow_requests')
      .select(
        'requester_id,created_at,requester:profiles!follow_requests_requester_id_fkey(username,avatar_url,avatar_path)',
      )
      .eq('target_id', me)
      .order('created_at', { ascending: false })
      .order('requester_id', { ascending: false })
      .limit(NOTIFICATIONS_PAGE),
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

const thumbnailLoader = onePerClient(() => createThumbnailLoader('posts', NOTIFICATIONS_PAGE))

/** The thumbnail of the post or story of a group; groups about the same one share a request. */
export function useThumbnail({ post_id, story_id }: NotificationGroup): PictureSource | null {
  const { data: ofPost = null } = useQuery({
    queryKey: notificationKeys.thumbnail(post_id),
    queryFn: ({ client }) => (post_id === null ? null : thumbnailLoader(client)(post_id)),
    enabled: post_id !== null,
    staleTime: STALE.immutable,
  })
  const { data: ofStory = null } = useStoryThumbnailQuery(story_id)
  return ofPost ?? ofStory
}
