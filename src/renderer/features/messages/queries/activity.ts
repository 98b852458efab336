import { useQuery } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { elapsedTime } from '#/renderer/lib/content/time'
import { useNow } from '#/renderer/lib/core/clock-store'
import { useConnection } from '#/renderer/lib/live'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { activityKey } from '../keys'
import type { Pair } from '../model/conversation'

/**
 * A member counts as active this long after their last report, in milliseconds. Clients report once a minute.
 */
const NOW_MS = 120_000

/** Number of rows per request, so that scrolling by one row does not start a request. */
const BLOCK = 20

/** The rows to request while these are visible: whole blocks, with an exclusive end. */
export function activityRange(firstDrawn: number, lastDrawn: number): { start: number; end: number } {
  return { start: Math.floor(firstDrawn / BLOCK) * BLOCK, end: (Math.floor(lastDrawn / BLOCK) + 1) * BLOCK }
}

/** When these members were last active, if they show it. Throws an `AppError`. */
export function loadActivity(ids: readonly string[]) {
  return unwrap(supabase().from('activity').select('user_id,last_active_at').in('user_id', ids))
}

/**
 * When these members were last active: the server omits members who hide it, and everybody while this member hides it (SET-05).
 */
export function useActivityQuery(ids: readonly string[]) {
  const { profile } = useMe()
  const wanted = profile.show_activity_status ? [...ids].sort() : []
  return useQuery({
    queryKey: activityKey(wanted),
    queryFn: async () => {
      const rows = await loadActivity(wanted)
      return new Map(rows.map((row) => [row.user_id, row.last_active_at]))
    },
    enabled: wanted.length > 0,
    placeholderData: (previous) => (profile.show_activity_status ? previous : undefined),
    refetchInterval: STALE.minute,
    staleTime: STALE.short,
  })
}

/**
 * Whether the member can be known to be active at this moment: not while the connection is lost, when nothing says that
 * they have left.
 */
export function useIsActivityKnown(): boolean {
  return useConnection().state !== 'lost'
}

export function isActiveNow(lastActiveAt: string, nowMs: number): boolean {
  return nowMs - Date.parse(lastActiveAt) < NOW_MS
}

/** `Active now`, or `Active 5 minutes ago`. */
export function activityText(lastActiveAt: string, nowMs: number): string {
  return isActiveNow(lastActiveAt, nowMs)
    ? texts.messages.activeNow
    : texts.messages.active(elapsedTime(lastActiveAt, nowMs))
}

/**
 * The text about when the other member was last active; null if they hide it or have not written yet, and instead of
 * 'Active now' while the connection is lost. Their presence counts only if they show their activity.
 */
export function useActivityText(
  { otherId, hasOtherWritten }: Pick<Pair, 'otherId' | 'hasOtherWritten'>,
  isHere: boolean,
): string | null {
  const now = useNow()
  const isKnown = useIsActivityKnown()
  const { data } = useActivityQuery(hasOtherWritten ? [otherId] : [])
  const at = hasOtherWritten ? data?.get(otherId) : undefined
  if (at === undefined || (!isKnown && (isHere || isActiveNow(at, now)))) return null
  return isHere ? texts.messages.activeNow : activityText(at, now)
}
