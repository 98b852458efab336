import { useQuery } from '@tanstack/react-query'
import { logFailure } from '#/renderer/lib/logger'
import { STALE } from '#/renderer/lib/query-client'
import { answer, supabase } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import { useNow } from '#/renderer/lib/time'

/** While the app is used the server is told this often at most, in milliseconds. */
const TELL_MS = 60_000
/** Who was told of within this time is active now, in milliseconds: two tellings, and a late one. */
const NOW_MS = 3 * TELL_MS

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

/** 'Active now', 'Active 5m ago' (SET-05); null when it is unknown, or so long ago that it says nothing. */
export function activityText(lastActiveAt: string | undefined, nowMs: number): string | null {
  if (lastActiveAt === undefined) return null
  const ago = nowMs - Date.parse(lastActiveAt)
  if (ago < NOW_MS) return texts.activity.now
  if (ago < HOUR_MS) return texts.activity.ago(`${Math.floor(ago / MINUTE_MS)}m`)
  if (ago < DAY_MS) return texts.activity.ago(`${Math.floor(ago / HOUR_MS)}h`)
  return ago < WEEK_MS ? texts.activity.ago(`${Math.floor(ago / DAY_MS)}d`) : null
}

async function loadActivity(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await answer(supabase().from('activity').select('user_id,last_active_at').in('user_id', ids))
  return new Map(rows.map((row) => [row.user_id, row.last_active_at]))
}

const NOBODY: ReadonlyMap<string, string> = new Map()

/**
 * When members were last active, in words, by their ids; those who do not say so, and strangers, are missing. Read
 * once a minute while somebody looks. At most 100 ids.
 */
export function useActivity(memberIds: readonly string[]): ReadonlyMap<string, string> {
  const now = useNow()
  const ids = [...memberIds].sort()
  const { data = NOBODY } = useQuery({
    queryKey: ['activity', ids],
    queryFn: () => loadActivity(ids),
    enabled: ids.length > 0,
    staleTime: STALE.minute,
    refetchInterval: STALE.minute,
    refetchOnWindowFocus: true,
    placeholderData: (before) => before,
  })
  const words = new Map<string, string>()
  for (const [id, lastActiveAt] of data) {
    const text = activityText(lastActiveAt, now)
    if (text !== null) words.set(id, text)
  }
  return words
}

/** What says that somebody is there. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus'] as const

/** Tells the server that the member is active, as long as they are, until the function it gives is called. */
export function tellActivity(): () => void {
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = () => {
    const now = Date.now()
    if (now - toldAt < TELL_MS || document.visibilityState !== 'visible') return
    toldAt = now
    answer(supabase().rpc('touch_activity')).catch((cause: unknown) => logFailure('tell activity', cause))
  }
  tell()
  const quietly = { capture: true, passive: true } as const
  for (const sign of SIGNS) window.addEventListener(sign, tell, quietly)
  document.addEventListener('visibilitychange', tell)
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, tell, quietly)
    document.removeEventListener('visibilitychange', tell)
  }
}
