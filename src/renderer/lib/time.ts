import { differenceInDays, differenceInSeconds, format, formatDistanceStrict, isSameYear } from 'date-fns'
import { useSyncExternalStore } from 'react'

const TICK_MS = 30_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | null = null
const subscribers = new Set<() => void>()

function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  if (timer === null) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const each of subscribers) each()
    }, TICK_MS)
  }
  return () => {
    subscribers.delete(notify)
    if (subscribers.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }
}

/** The current time in milliseconds, moving on twice a minute; one timer serves the whole app. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

/** `just now`, `3 minutes ago`, `6 days ago`; older than a week, the date. A time in the future is `just now`. */
export function relativeTime(iso: string, nowMs: number): string {
  const date = new Date(iso)
  const seconds = differenceInSeconds(nowMs, date)
  if (seconds < 45) return 'just now'
  if (differenceInDays(nowMs, date) < 7) return formatDistanceStrict(date, nowMs, { addSuffix: true })
  return format(date, isSameYear(date, nowMs) ? 'd MMMM' : 'd MMMM yyyy')
}

/** The full date and time, for a tooltip. */
export function fullTime(iso: string): string {
  return format(new Date(iso), 'PPPP p')
}
