import { counted } from '#/renderer/lib/texts/counts'

function parts(seconds: number): { minutes: number; rest: number } {
  const whole = Math.max(0, Math.round(seconds))
  return { minutes: Math.floor(whole / 60), rest: whole % 60 }
}

/** A time of a video, as `1:05`. */
export function clock(seconds: number): string {
  const { minutes, rest } = parts(seconds)
  return `${minutes}:${String(rest).padStart(2, '0')}`
}

/** How long a conversion still takes, as `About 2 minutes left`; empty while it is not known. */
export function timeLeft(seconds: number | null | undefined): string {
  if (seconds == null) return ''
  const length =
    seconds < 90
      ? counted(seconds, 'second', 'seconds')
      : counted(Math.round(seconds / 60), 'minute', 'minutes')
  return `About ${length} left`
}

/** A length in words. */
export function spoken(seconds: number): string {
  const { minutes, rest } = parts(seconds)
  const second = counted(rest, 'second', 'seconds')
  if (minutes === 0) return second
  const minute = counted(minutes, 'minute', 'minutes')
  return rest === 0 ? minute : `${minute} ${second}`
}
