import { useQuery } from '@tanstack/react-query'
import { useNow } from '#/renderer/lib/clock-store'
import { STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import { elapsedTime } from '#/renderer/lib/time'
import type { Conversation } from './conversation'

/** Who was active within this time is active now, in milliseconds: members tell once a minute. */
const NOW_MS = 120_000

/** Rows of a list are asked for in blocks of this many: not anew with each row that one scrolls by. */
const BLOCK = 20

/** Which rows of a list to ask for while these are drawn: the blocks they are in, from the first to before the end. */
export function rowsToAsk(firstDrawn: number, lastDrawn: number): { start: number; end: number } {
  return { start: Math.floor(firstDrawn / BLOCK) * BLOCK, end: (Math.floor(lastDrawn / BLOCK) + 1) * BLOCK }
}

/** When these members were last active, as far as they let others see it. Throws an `AppError`. */
export function loadActivity(ids: readonly string[]) {
  return unwrap(supabase().from('activity').select('user_id,last_active_at').in('user_id', ids))
}

/** When these members, a screenful at most, were last active; who does not let others see it is left out, by the server (SET-05). */
export function useActivityQuery(ids: readonly string[]) {
  const wanted = [...ids].sort()
  return useQuery({
    queryKey: ['activity', wanted.join()],
    queryFn: async () => {
      const rows = await loadActivity(wanted)
      return new Map(rows.map((row) => [row.user_id, row.last_active_at]))
    },
    enabled: wanted.length > 0,
    placeholderData: (previous) => previous,
    refetchInterval: STALE.minute,
    staleTime: STALE.short,
  })
}

/** Whether somebody last active at this time counts as being there. */
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
 * What to say of when a member was last active; null when they keep it to themselves, or have not written yet. That
 * they are in the conversation counts only for those who let others see it.
 */
export function useActivityText(
  { otherId, hasOtherWritten }: Pick<Conversation, 'otherId' | 'hasOtherWritten'>,
  isHere: boolean,
): string | null {
  const now = useNow()
  const { data } = useActivityQuery(hasOtherWritten ? [otherId] : [])
  const at = hasOtherWritten ? data?.get(otherId) : undefined
  if (at === undefined) return null
  return isHere ? texts.messages.activeNow : activityText(at, now)
}
