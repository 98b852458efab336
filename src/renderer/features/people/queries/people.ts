import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { onCaughtUp, onRowChange } from '#/renderer/lib/live'
import { createBatchLoader } from '#/renderer/lib/queries/batch-loader'
import { type Cursor, newestFirst, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { refetch, STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { PEOPLE_PAGE } from '#/shared/limits'
import { type PeopleList, PROFILE_KEY, peopleKey, relationKeys } from '../keys'
import type { PeoplePage, Relation } from '../model'
import { followKey, followSync } from '../mutations'

/**
 * Which of these members the signed-in member follows or has requested to follow; others are omitted. Throws an
 * `AppError`.
 */
export async function loadRelations(me: string, ids: string[]): Promise<Map<string, Relation>> {
  const [requests, follows] = await Promise.all([
    unwrap(
      supabase().from('follow_requests').select('target_id').eq('requester_id', me).in('target_id', ids),
    ),
    unwrap(supabase().from('follows').select('following_id').eq('follower_id', me).in('following_id', ids)),
  ])
  return new Map<string, Relation>([
    ...requests.map(({ target_id }) => [target_id, 'requested'] as const),
    ...follows.map(({ following_id }) => [following_id, 'following'] as const),
  ])
}

/** A list of members loads all relations in one batch. */
const loaderOf = onePerClient((me: string) => createBatchLoader((ids) => loadRelations(me, ids), PEOPLE_PAGE))

/** The signed-in member's relation to another member; never loaded for themselves. */
export function useRelationQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const queryKey = relationKeys.of(id)
  return useQuery({
    queryKey,
    queryFn: async (): Promise<Relation> => {
      const relation = (await loaderOf(client, me)(id)) ?? 'none'
      // Keep a change that the server does not know yet.
      const isChanging = followSync.desired(followKey(me, id)) !== undefined
      return isChanging ? (client.getQueryData<Relation>(queryKey) ?? relation) : relation
    },
    enabled: id !== me,
    // There is no event for a declined request: refetch on every mount and focus.
    staleTime: ({ state }) => (state.data === 'requested' ? 0 : STALE.short),
    refetchOnWindowFocus: ({ state }) => state.data === 'requested',
  })
}

/**
 * Updates the button, the counts and the content as soon as a request is accepted (SET-04), and the profile when its member
 * follows.
 */
export function useLiveRelation(id: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = relationKeys.of(id)
    const ignoreFollows = onRowChange('notifications', ({ row: { type, about, actor_id } }) => {
      if (actor_id !== id || (about !== 'follow_accepted' && type !== 'follow')) return
      // Refetch instead of assuming: the follow may have ended since.
      if (about === 'follow_accepted') void refetch(client, queryKey)
      void client.invalidateQueries({ queryKey: PROFILE_KEY })
    })
    const ignoreGaps = onCaughtUp(() => {
      void client.invalidateQueries({ queryKey, predicate: ({ state }) => state.data === 'requested' })
    })
    return () => {
      ignoreFollows()
      ignoreGaps()
    }
  }, [client, id])
}

const PERSON = 'id,username,full_name,avatar_url,avatar_path,is_private'

/** Newest first. Throws an `AppError`. */
const PEOPLE_LOADERS = {
  followers: (id: string, after: Cursor) =>
    unwrap(
      newestFirst(
        supabase()
          .from('follows')
          .select(`created_at,person_id:follower_id,person:profiles!follows_follower_id_fkey(${PERSON})`)
          .eq('following_id', id),
        { after, size: PEOPLE_PAGE, idColumn: 'follower_id' },
      ),
    ),
  following: (id: string, after: Cursor) =>
    unwrap(
      newestFirst(
        supabase()
          .from('follows')
          .select(`created_at,person_id:following_id,person:profiles!follows_following_id_fkey(${PERSON})`)
          .eq('follower_id', id),
        { after, size: PEOPLE_PAGE, idColumn: 'following_id' },
      ),
    ),
  likes: (id: string, after: Cursor) =>
    unwrap(
      newestFirst(
        supabase()
          .from('likes')
          .select(`created_at,person_id:user_id,person:profiles!likes_user_id_fkey(${PERSON})`)
          .eq('post_id', id),
        { after, size: PEOPLE_PAGE, idColumn: 'user_id' },
      ),
    ),
} as const

/** One page of a list, newest first. Throws an `AppError`. */
export async function loadPeoplePage({ kind, id }: PeopleList, after: Cursor): Promise<PeoplePage> {
  const rows = await PEOPLE_LOADERS[kind](id, after)
  return {
    // Row security may hide the member but not the row: the embed is null then.
    people: rows.flatMap(({ person }) => (person === null ? [] : [person])),
    next: nextCursor(rows, PEOPLE_PAGE, (row) => ({ createdAt: row.created_at, id: row.person_id })),
  }
}

/** Members in pages, newest first; refetched whenever the list is opened. */
export function usePeopleQuery(list: PeopleList) {
  return useInfiniteQuery({
    queryKey: peopleKey(list),
    queryFn: ({ pageParam }) => loadPeoplePage(list, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    select: ({ pages }) => [
      ...new Map(pages.flatMap(({ people }) => people).map((person) => [person.id, person])).values(),
    ],
    gcTime: 0,
  })
}
