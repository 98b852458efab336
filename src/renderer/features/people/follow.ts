import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { AppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { moveCounts, PROFILE_KEY } from './counts'
import { followKey, followSync } from './follow-sync'
import { type Relation, relationKeys, useLiveRelation, useRelationQuery } from './relation'

/** A member to follow. A private account receives a request. */
export interface Followable {
  id: string
  is_private: boolean
}

type Way = (me: string, id: string) => Promise<Relation>

const follow: Way = async (me, id) => {
  await unwrap(
    supabase()
      .from('follows')
      .upsert(
        { follower_id: me, following_id: id },
        { onConflict: 'follower_id,following_id', ignoreDuplicates: true },
      ),
  )
  return 'following'
}

const request: Way = async (me, id) => {
  await unwrap(
    supabase()
      .from('follow_requests')
      .upsert(
        { requester_id: me, target_id: id },
        { onConflict: 'requester_id,target_id', ignoreDuplicates: true },
      ),
  )
  return 'requested'
}

/** Follows a public account or sends a request to a private one. Tries the other if the account has changed. */
async function begin(me: string, { id, is_private }: Followable): Promise<Relation> {
  const [first, second] = is_private ? [request, follow] : [follow, request]
  try {
    return await first(me, id)
  } catch (cause) {
    // PT403: the account became private. PT409: it became public (guard_follow, guard_follow_request).
    const hasChanged = cause instanceof AppError && cause.code === (is_private ? 'conflict' : 'forbidden')
    if (!hasChanged) throw cause
    return second(me, id)
  }
}

/** Withdraws the request first: if it is accepted at the same moment, the second call ends the follow. */
async function end(me: string, id: string): Promise<Relation> {
  await unwrap(supabase().from('follow_requests').delete().eq('requester_id', me).eq('target_id', id))
  await unwrap(supabase().from('follows').delete().eq('follower_id', me).eq('following_id', id))
  return 'none'
}

function showRelation(client: QueryClient, me: string, id: string, to: Relation): void {
  const key = relationKeys.of(id)
  const from = client.getQueryData<Relation>(key)
  if (from === to) return
  void client.cancelQueries({ queryKey: key })
  client.setQueryData<Relation>(key, to)
  if (to === 'following') moveCounts(client, me, id, 1)
  else if (from === 'following') moveCounts(client, me, id, -1)
}

async function press(client: QueryClient, me: string, member: Followable): Promise<void> {
  const { id, is_private } = member
  // Read from the cache: the button may not have rerendered since the last press.
  const from = client.getQueryData<Relation>(relationKeys.of(id))
  if (from === undefined) return
  const key = followKey(me, id)
  const isUnderWay = followSync.desired(key) !== undefined
  const isOn = from !== 'none'
  showRelation(client, me, id, isOn ? 'none' : is_private ? 'requested' : 'following')

  let known = from
  let hasFailed = false
  await followSync.set(key, isOn, !isOn, {
    send: async (shallFollow) => {
      known = shallFollow ? await begin(me, member) : await end(me, id)
      if (shallFollow && followSync.desired(key) === true) showRelation(client, me, id, known)
    },
    onFailed: (_confirmed, cause) => {
      hasFailed = true
      logFailure('follow', cause)
      showRelation(client, me, id, known)
    },
  })
  if (isUnderWay) return
  // Refetch the counts, which others may have changed.
  void client.invalidateQueries({ queryKey: PROFILE_KEY })
  if (hasFailed) void client.invalidateQueries({ queryKey: relationKeys.of(id) })
}

/** Follow, request and undo: optimistic, sent in order, the last press wins (PROF-04). */
export function useFollow(member: Followable) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { data: relation } = useRelationQuery(member.id)
  useLiveRelation(member.id)
  return {
    /** Undefined while loading; the button is disabled until then. */
    relation,
    toggle: () => void press(client, me, member),
  }
}
