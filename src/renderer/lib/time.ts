import {
  differenceInCalendarDays,
  differenceInDays,
  differenceInSeconds,
  format,
  formatDistanceStrict,
  isSameYear,
} from 'date-fns'

/** `just now`, `3 minutes ago`, `6 days ago`; older than a week, the date. A time in the future is `just now`. */
export function relativeTime(iso: string, nowMs: number): string {
  const date = new Date(iso)
  const seconds = differenceInSeconds(nowMs, date)
  if (seconds < 45) return 'just now'
  if (differenceInDays(nowMs, date) < 7)
    return formatDistanceStrict(date, nowMs, { addSuffix: true, roundingMethod: 'floor' })
  return format(date, isSameYear(date, nowMs) ? 'd MMMM' : 'd MMMM yyyy')
}

/** `less than a minute`, `2 hours`, `8 days`. A time in the future counts as now. */
export function elapsedTime(iso: string, nowMs: number): string {
  const then = Math.min(Date.parse(iso), nowMs)
  return nowMs - then < 60_000
    ? 'less than a minute'
    : formatDistanceStrict(then, nowMs, { roundingMethod: 'floor' })
}

/** `now`, `5m`, `3h`, `6d`, `12w`. */
export function shortElapsedTime(iso: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes}m`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`
  const days = Math.floor(minutes / (24 * 60))
  return days < 7 ? `${days}d` : `${Math.floor(days / 7)}w`
}

/** `Today`, `Yesterday`, a weekday within the last week, else the date. */
export function dayName(iso: string, nowMs: number): string {
  const date = new Date(iso)
  const days = differenceInCalendarDays(nowMs, date)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return format(date, 'EEEE')
  return format(date, isSameYear(date, nowMs) ? 'd MMMM' : 'd MMMM yyyy')
}

/**
 * Hours and minutes of a time in milliseconds since 1970, in 12 or 24 hours as in the locale.
 * @param locale of the browser if undefined
 */
export function timeOfDay(ms: number, locale?: string): string {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return format(ms, hour12 === false ? 'HH:mm' : 'p')
}

export function fullTime(iso: string, locale?: string): string {
  return `${format(new Date(iso), 'PPPP')} ${timeOfDay(Date.parse(iso), locale)}`
}
