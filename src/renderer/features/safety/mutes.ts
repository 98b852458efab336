import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { type Cursor, newestFirst } from '#/renderer/lib/keyset'
import { logFailure } from '#/renderer/lib/logger'
import { refetch, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import { createToggleSync } from '#/renderer/lib/toggle-sync'
import type { SafetyMember } from './forget-member'

/** Rows per request; servers return at most a thousand. */
const PAGE = 1_000

const MUTED_KEY = ['muted'] as const
const sync = createToggleSync()

/** The ids of muted members. Throws an `AppError`. */
export async function loadMutedIds(me: string): Promise<string[]> {
  const ids: string[] = []
  let after: Cursor = null
  for (;;) {
    const rows: { muted_id: string; created_at: string }[] = await unwrap(
      newestFirst(supabase().from('mutes').select('muted_id,created_at').eq('muter_id', me), {
        after,
        size: PAGE,
        idColumn: 'muted_id',
      }),
    )
    ids.push(...rows.map(({ muted_id }) => muted_id))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return ids
    after = { createdAt: last.created_at, id: last.muted_id }
  }
}

const NOBODY: ReadonlySet<string> = new Set()
const toSet = (ids: string[]): ReadonlySet<string> => new Set(ids)

/** Muted members, whose posts and stories are hidden; empty while loading. */
export function useMutedIds(): ReadonlySet<string> {
  const { id: me } = useMe()
  const { data = NOBODY } = useQuery({
    queryKey: MUTED_KEY,
    queryFn: () => loadMutedIds(me),
    select: toSet,
    staleTime: STALE.minute,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** Updates the list only if it is cached: a new list with one member would claim that nobody else is muted. */
function showMuted(client: QueryClient, id: string, isMuted: boolean): void {
  const ids = client.getQueryData<string[]>(MUTED_KEY)
  if (ids === undefined) return
  void client.cancelQueries({ queryKey: MUTED_KEY })
  const others = ids.filter((each) => each !== id)
  client.setQueryData(MUTED_KEY, isMuted ? [...others, id] : others)
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
  let isDone = true
  await sync.set(key, !isMuted, isMuted, {
    send: async (shallMute) => {
      const mutes = supabase().from('mutes')
      await unwrap(
        shallMute
          ? mutes.upsert(
              { muter_id: me, muted_id: id },
              { onConflict: 'muter_id,muted_id', ignoreDuplicates: true },
            )
          : mutes.delete().eq('muter_id', me).eq('muted_id', id),
      )
    },
    onFailed: (confirmed, cause) => {
      isDone = false
      logFailure('mute', cause)
      showMuted(client, id, confirmed)
      showToast({ text: texts.safety.failed })
    },
  })
  // A read that was cancelled or started earlier does not contain this change.
  if (sync.desired(key) === undefined) void refetch(client, MUTED_KEY)
  return isDone
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
