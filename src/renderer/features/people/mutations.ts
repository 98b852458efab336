import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { createStore } from 'zustand'
import { useMe } from '#/renderer/features/auth'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { showToast } from '#/renderer/lib/core/toasts'
import { forgetMember, type MemberName, withoutMember } from '#/renderer/lib/disk-cache/forget-member'
import { showIfOffline } from '#/renderer/lib/queries/offline'
import { createToggleSync } from '#/renderer/lib/queries/toggle-sync'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { FOLLOWING_FEED_KEY, NEWEST_FOLLOWED_KEY, PROFILE_KEY, peopleKey, relationKeys } from './keys'
import {
  type Counted,
  findPerson,
  type PeoplePages,
  type Relation,
  withoutPerson,
  withRestored,
  withStep,
} from './model'

/** Follow requests in flight in this window. */
export const followSync = createToggleSync()

export function followKey(me: string, id: string): string {
  return `${me}:${id}`
}

/**
 * Updates the counts of both members in the cache. Skips profiles that are being refetched, because the response would
 * undo the update.
 */
export function moveCounts(client: QueryClient, follower: string, followed: string, step: 1 | -1): void {
  void client.cancelQueries({ queryKey: PROFILE_KEY, predicate: ({ state }) => state.data !== undefined })
  client.setQueriesData<Counted | null>({ queryKey: PROFILE_KEY }, (profile) =>
    profile == null ? profile : withStep(profile, follower, followed, step),
  )
}

/** A member to follow. A private account receives a request. */
export interface Followable extends MemberName {
  is_private: boolean
}

type FollowAction = (me: string, id: string) => Promise<Relation>

const follow: FollowAction = async (me, id) => {
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

const request: FollowAction = async (me, id) => {
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
async function startFollow(me: string, { id, is_private }: Followable): Promise<Relation> {
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

async function endFollow(follower: string, following: string): Promise<Relation> {
  await unwrap(supabase().rpc('end_follow', { follower, following }))
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

/** The queries with posts of other members. */
const CONTENT: ReadonlySet<unknown> = new Set(['feed', 'post', 'grid', 'shared post', 'shared story'])

/** Removes the posts of a private account, which former followers cannot see. */
async function forgetContent(client: QueryClient, member: MemberName): Promise<void> {
  await forgetMember(client, member, ({ queryKey }) => CONTENT.has(queryKey[0]))
}

/**
 * Updates the feed of followed members: removes the posts of an unfollowed member at once; the posts of a newly
 * followed one wait behind 'New posts'.
 */
function updateFollowingFeed(client: QueryClient, member: MemberName, relation: Relation): void {
  if (relation !== 'following')
    client.setQueriesData({ queryKey: FOLLOWING_FEED_KEY }, (data: unknown) => withoutMember(data, member))
  void client.invalidateQueries({ queryKey: NEWEST_FOLLOWED_KEY })
}

/** Members whose Follow button was pressed while the relation to them was not known. */
export const wantedFollows = onePerClient(() => createStore<ReadonlySet<string>>(() => new Set()))

function setWanted(client: QueryClient, id: string, isWanted: boolean): void {
  wantedFollows(client).setState((wanted) => {
    const next = new Set(wanted)
    if (isWanted) next.add(id)
    else next.delete(id)
    return next
  }, true)
}

/** Resolves with the relation to a member once it is loaded. */
function knownRelation(client: QueryClient, id: string): Promise<Relation> {
  return new Promise((resolve) => {
    const stop = client.getQueryCache().subscribe(() => {
      const relation = client.getQueryData<Relation>(relationKeys.of(id))
      if (relation === undefined) return
      stop()
      resolve(relation)
    })
  })
}

/** Keeps a press on Follow until the relation is known: who is followed already stays so. Another press takes it back. */
async function followOnceKnown(client: QueryClient, me: string, member: Followable): Promise<void> {
  const { id } = member
  const wanted = wantedFollows(client)
  if (wanted.getState().has(id)) return setWanted(client, id, false)
  setWanted(client, id, true)
  const relation = await knownRelation(client, id)
  if (!wanted.getState().has(id)) return
  setWanted(client, id, false)
  if (relation === 'none') await toggleFollow(client, me, member)
}

/**
 * Follows, requests to follow, or undoes either; while the relation is unknown, keeps the press until it is known. A failure is
 * logged and rolled back.
 */
export async function toggleFollow(client: QueryClient, me: string, member: Followable): Promise<void> {
  const { id, is_private } = member
  // Read from the cache: the button may not have rerendered since the last press.
  const from = client.getQueryData<Relation>(relationKeys.of(id))
  if (from === undefined) return followOnceKnown(client, me, member)
  const key = followKey(me, id)
  const isInFlight = followSync.desired(key) !== undefined
  const isOn = from !== 'none'
  showRelation(client, me, id, isOn ? 'none' : is_private ? 'requested' : 'following')

  let known = from
  let hasFailed = false
  await followSync.set(key, isOn, !isOn, {
    send: async (shouldFollow) => {
      known = shouldFollow ? await startFollow(me, member) : await endFollow(me, id)
      if (shouldFollow && followSync.desired(key) === true) showRelation(client, me, id, known)
    },
    onFailed: (_confirmed, cause) => {
      hasFailed = true
      logFailure('follow', cause)
      showToast({ text: texts.people.notStored })
      showIfOffline(cause)
      showRelation(client, me, id, known)
    },
  })
  if (isInFlight) return
  if (is_private && from === 'following' && known === 'none') await forgetContent(client, member)
  if (known !== from) updateFollowingFeed(client, member, known)
  // Refetch the counts, which others may have changed.
  void client.invalidateQueries({ queryKey: PROFILE_KEY })
  if (hasFailed) void client.invalidateQueries({ queryKey: relationKeys.of(id) })
}

/** Removes a follower: optimistic, with a rollback if the server refuses. */
export function useRemoveFollowerMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  const queryKey = peopleKey({ kind: 'followers', id: me })
  return useMutation({
    meta: { action: 'remove follower' },
    mutationFn: (id: string) => endFollow(id, me),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey })
      const removed = findPerson(client.getQueryData<PeoplePages>(queryKey), id)
      client.setQueryData<PeoplePages>(queryKey, (data) => data && withoutPerson(data, id))
      moveCounts(client, id, me, -1)
      return removed
    },
    onError: (_cause, id, removed) => {
      // Roll back here, because a refetch may fail too.
      client.setQueryData<PeoplePages>(queryKey, (data) => data && removed && withRestored(data, removed))
      moveCounts(client, id, me, 1)
      return client.invalidateQueries({ queryKey })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: PROFILE_KEY }),
  })
}
