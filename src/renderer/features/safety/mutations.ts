import { type Query, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { isConflict } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { newId } from '#/renderer/lib/core/uuid'
import { forgetMember } from '#/renderer/lib/disk-cache/forget-member'
import { withModalParam } from '#/renderer/lib/navigation/modal-route'
import { refetch } from '#/renderer/lib/queries/query-client'
import { createToggleSync } from '#/renderer/lib/queries/toggle-sync'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { trimText } from '#/shared/visible-text'
import { safetyKeys } from './keys'
import type { Reason, SafetyMember } from './model'
import { useMutedIds } from './queries'

/** Blocks a member on the server; idempotent. Throws an `AppError`. */
async function block(id: string): Promise<void> {
  await unwrap(supabase().rpc('block_members', { ids: [id] }))
}

async function unblock(me: string, id: string): Promise<void> {
  await unwrap(supabase().from('blocks').delete().eq('blocker_id', me).eq('blocked_id', id))
}

/**
 * Refetches the active queries, because a member has become hidden or visible. Cancels first fetches too, whose
 * response may be older than the change.
 */
async function refetchAll(client: QueryClient, matches: (query: Query) => boolean = () => true) {
  await client.cancelQueries({
    predicate: (query) => matches(query) && query.state.data === undefined && !query.isStatic(),
  })
  void client.invalidateQueries({ predicate: matches })
}

/** Blocks or unblocks from the list in the settings. Inactive queries refetch when they are shown. */
export async function setBlocked(client: QueryClient, me: string, member: SafetyMember, isBlocked: boolean) {
  await (isBlocked ? block(member.id) : unblock(me, member.id))
  if (isBlocked) await forgetMember(client, member)
  await refetchAll(client, ({ queryKey }) => queryKey[0] !== safetyKeys.lists[0])
}

/** Leaves a page of the blocked member: their profile, or a modal with their content. */
function usePageWithout({ username }: SafetyMember): () => void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return () => {
    if (pathname.toLowerCase() === `/profile/${username}`) return void navigate('/', { replace: true })
    const rest = withModalParam(withModalParam(search, 'post', null), 'story', null)
    if (rest !== search) void navigate({ search: rest }, { replace: true })
  }
}

/** Blocks a member: their content leaves the screen, and a toast offers to undo it (SAFE-01). */
export function useBlockMutation(member: SafetyMember) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const leave = usePageWithout(member)
  const undo = async (restore: () => void) => {
    try {
      await unblock(me, member.id)
      restore()
      await refetchAll(client)
    } catch (cause) {
      logFailure('unblock', cause)
      showToast({ text: texts.safety.failed })
    }
  }
  return useMutation({
    mutationFn: () => block(member.id),
    meta: { action: 'block' },
    onSuccess: async () => {
      const restore = await forgetMember(client, member)
      leave()
      // Counts, and conversations, which are now closed.
      await refetchAll(client)
      showToast({ text: texts.safety.blocked(member.username), undo: () => void undo(restore) })
    },
  })
}

/** Unblocks a member and refetches what the block hid. */
export function useUnblockMutation(member: SafetyMember) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: () => setBlocked(client, me, member, false),
    meta: { action: 'unblock' },
    onError: () => showToast({ text: texts.safety.failed }),
  })
}

const muteSync = createToggleSync()

/** Updates the list only if it is cached: a new list with one member would claim that nobody else is muted. */
function showMuted(client: QueryClient, id: string, isMuted: boolean): void {
  const ids = client.getQueryData<string[]>(safetyKeys.mutedIds)
  if (ids === undefined) return
  void client.cancelQueries({ queryKey: safetyKeys.mutedIds })
  const others = ids.filter((each) => each !== id)
  client.setQueryData(safetyKeys.mutedIds, isMuted ? [...others, id] : others)
}

/**
 * Mutes or unmutes a member: optimistic, with a rollback if the server refuses (SAFE-02). Resolves to whether it
 * succeeded.
 */
export async function setMuted(
  client: QueryClient,
  me: string,
  id: string,
  isMuted: boolean,
): Promise<boolean> {
  const key = `${me} ${id}`
  showMuted(client, id, isMuted)
  let hasSucceeded = true
  await muteSync.set(key, !isMuted, isMuted, {
    send: async (shouldMute) => {
      const mutes = supabase().from('mutes')
      await unwrap(
        shouldMute
          ? mutes.upsert(
              { muter_id: me, muted_id: id },
              { onConflict: 'muter_id,muted_id', ignoreDuplicates: true },
            )
          : mutes.delete().eq('muter_id', me).eq('muted_id', id),
      )
    },
    onFailed: (confirmed, cause) => {
      hasSucceeded = false
      logFailure('mute', cause)
      showMuted(client, id, confirmed)
      showToast({ text: texts.safety.failed })
    },
  })
  // A read that was cancelled or started earlier does not contain this change.
  if (muteSync.desired(key) === undefined) void refetch(client, safetyKeys.mutedIds)
  return hasSucceeded
}

/** Mutes a member and shows a toast with an undo button. */
export function useMute(member: SafetyMember) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const isMuted = useMutedIds().has(member.id)
  const set = (to: boolean) => void setMuted(client, me, member.id, to)
  return {
    isMuted,
    toggle: () => {
      set(!isMuted)
      showToast({
        text: isMuted ? texts.safety.unmuted(member.username) : texts.safety.muted(member.username),
        undo: () => set(isMuted),
      })
    },
  }
}

interface Reported {
  memberId: string
  /** Null if the report is about the member. */
  postId: string | null
}

/** Sends a report (SAFE-03). Idempotent, in case a response is lost. Fails with an `AppError`. */
export function useReportMutation({ memberId, postId }: Reported) {
  const { id: me } = useMe()
  // Other words are another report, because the former ones may be stored.
  const [ids] = useState(() => new Map<string, string>())
  return useMutation({
    mutationFn: async ({ reason, details }: { reason: Reason; details: string }) => {
      const words = JSON.stringify([reason, details])
      const id = ids.get(words) ?? newId()
      ids.set(words, id)
      const report = {
        id,
        reporter_id: me,
        member_id: memberId,
        post_id: postId,
        reason,
        details: trimText(details) || null,
      }
      try {
        await unwrap(supabase().from('reports').insert(report))
      } catch (cause) {
        if (!isConflict(cause)) throw cause
      }
    },
    meta: { action: 'report' },
  })
}
