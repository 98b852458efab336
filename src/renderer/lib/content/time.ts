import { counted, once } from '#/renderer/lib/texts/counts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const UNITS = [
  { unit: 'year', ms: 365 * DAY_MS },
  { unit: 'month', ms: 30 * DAY_MS },
  { unit: 'day', ms: DAY_MS },
  { unit: 'hour', ms: HOUR_MS },
  { unit: 'minute', ms: MINUTE_MS },
  { unit: 'second', ms: SECOND_MS },
] as const

// Texts are English, with the day first. Not by `Intl`, whose first use takes 10 ms, before the first post is on screen.
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const twoDigits = (part: number): string => String(part).padStart(2, '0')
const dayAndMonth = (date: Date): string => `${date.getDate()} ${MONTHS[date.getMonth()]}`
const longDate = (date: Date): string => `${dayAndMonth(date)} ${date.getFullYear()}`
const in24Hours = (date: Date): string => `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`

function in12Hours(date: Date): string {
  const hours = date.getHours()
  return `${hours % 12 || 12}:${twoDigits(date.getMinutes())} ${hours < 12 ? 'AM' : 'PM'}`
}

/** `3 minutes`, `1 day`: the largest unit that fits, rounded down. */
function duration(ms: number): string {
  const found = UNITS.find((entry) => ms >= entry.ms)
  return found === undefined ? '0 seconds' : counted(Math.floor(ms / found.ms), found.unit, `${found.unit}s`)
}

/** `5 March`; in another year than now, `5 March 2025`. */
function dateOf(date: Date, nowMs: number): string {
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear()
  return isThisYear ? dayAndMonth(date) : longDate(date)
}

/** `just now`, `3 minutes ago`, `6 days ago`; older than a week, the date. A time in the future is `just now`. */
export function relativeTime(iso: string, nowMs: number): string {
  const date = new Date(iso)
  const ms = nowMs - date.getTime()
  if (ms < 45 * SECOND_MS) return 'just now'
  return ms < 7 * DAY_MS ? `${duration(ms)} ago` : dateOf(date, nowMs)
}

/** `less than a minute`, `2 hours`, `8 days`. A time in the future counts as now. */
export function elapsedTime(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso)
  return ms < MINUTE_MS ? 'less than a minute' : duration(ms)
}

/** `now`, `5m`, `3h`, `6d`, `12w`. */
export function shortElapsedTime(iso: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / MINUTE_MS)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes}m`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`
  const days = Math.floor(minutes / (24 * 60))
  return days < 7 ? `${days}d` : `${Math.floor(days / 7)}w`
}

const startOfDay = (time: string | number): number => new Date(time).setHours(0, 0, 0, 0)

/** Whether two times are on the same day here. */
export function isSameDay(a: string, b: string): boolean {
  return startOfDay(a) === startOfDay(b)
}

/** `Today`, `Yesterday`, a weekday within the last week, else the date. */
export function dayName(iso: string, nowMs: number): string {
  // Rounded: a day with a change of the clock has 23 or 25 hours.
  const days = Math.round((startOfDay(nowMs) - startOfDay(iso)) / DAY_MS)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  const date = new Date(iso)
  return days < 7 ? (WEEKDAYS[date.getDay()] ?? '') : dateOf(date, nowMs)
}

const hourOptions = (locale?: string) =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()

// A conversation that opens shows two times for each message, and `Intl` takes longer than all the rest of one.
const ownHourOptions = once(hourOptions)

/**
 * Hours and minutes of a time in milliseconds since 1970, in 12 or 24 hours as in the locale.
 * @param locale of the browser if undefined
 */
export function timeOfDay(ms: number, locale?: string): string {
  const { hour12 } = locale === undefined ? ownHourOptions() : hourOptions(locale)
  const date = new Date(ms)
  return hour12 === false ? in24Hours(date) : in12Hours(date)
}

/** `Saturday, 21 November 2026 12:00`. */
export function fullTime(iso: string, locale?: string): string {
  const date = new Date(iso)
  return `${WEEKDAYS[date.getDay()]}, ${longDate(date)} ${timeOfDay(date.getTime(), locale)}`
}

/** `21 November 2026, 12:00`. */
export function dateAndTime(iso: string): string {
  const date = new Date(iso)
  return `${longDate(date)}, ${in24Hours(date)}`
}

/** `2026-11-21`, in local time. */
export function isoDay(date: Date): string {
  const year = String(date.getFullYear()).padStart(4, '0')
  return [year, twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-')
}
