import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { createBatchLoader } from '#/renderer/lib/batch-loader'
import { onCaughtUp, onNotificationEvent } from '#/renderer/lib/live'
import { onePerClient, refetch, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { PEOPLE_PAGE } from '#/shared/limits'
import { PROFILE_KEY } from './counts'
import { followKey, followSync } from './follow-sync'

/** What the signed-in member is to another one. */
export type Relation = 'none' | 'requested' | 'following'

export const relationKeys = {
  of: (id: string) => ['relation', id] as const,
}

/** Whom of these the member follows or has asked to; the others are left out. Throws an `AppError`. */
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

/** A list of members asks for all their relations at once. */
const loaderOf = onePerClient((me: string) => createBatchLoader((ids) => loadRelations(me, ids), PEOPLE_PAGE))

/** What the signed-in member is to another one; never asked about oneself. */
export function useRelationQuery(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const queryKey = relationKeys.of(id)
  return useQuery({
    queryKey,
    queryFn: async (): Promise<Relation> => {
      const relation = (await loaderOf(client, me)(id)) ?? 'none'
      // What the member pressed meanwhile, and the server does not know yet, stays.
      const isChanging = followSync.desired(followKey(me, id)) !== undefined
      return isChanging ? (client.getQueryData<Relation>(queryKey) ?? relation) : relation
    },
    enabled: id !== me,
    // Nothing tells that a request was declined: it is looked after whenever somebody looks.
    staleTime: ({ state }) => (state.data === 'requested' ? 0 : STALE.short),
    refetchOnWindowFocus: ({ state }) => state.data === 'requested',
  })
}

/** Shows at once that a request is accepted: the button, the counts, and what stands behind them (SET-04). */
export function useLiveRelation(id: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = relationKeys.of(id)
    const ignoreAccepted = onNotificationEvent(({ about, actor_id }) => {
      if (about !== 'follow_accepted' || actor_id !== id) return
      // Asked, not taken for granted: the follow may have ended since.
      void refetch(client, queryKey)
      void client.invalidateQueries({ queryKey: PROFILE_KEY })
    })
    const ignoreGaps = onCaughtUp(() => {
      void client.invalidateQueries({ queryKey, predicate: ({ state }) => state.data === 'requested' })
    })
    return () => {
      ignoreAccepted()
      ignoreGaps()
    }
  }, [client, id])
}
