const MINUTE = 60_000

/** Times before `now`. */
export interface DemoClock {
  minutesAgo(minutes: number): Date
  hoursAgo(hours: number): Date
  daysAgo(days: number): Date
}

export function demoClock(now: Date): DemoClock {
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * MINUTE)
  return {
    minutesAgo,
    hoursAgo: (hours) => minutesAgo(hours * 60),
    daysAgo: (days) => minutesAgo(days * 24 * 60),
  }
}

/**
 * Times of reactions to an event, in minutes after it, at growing intervals. Deterministic, so that every seeding looks
 * the same.
 * @param available minutes between the event and now
 */
export function reactionTimes(count: number, available: number, firstAfter: number): number[] {
  const last = Math.min(available * 0.9, firstAfter * 40)
  const first = Math.min(firstAfter, last / 2)
  return Array.from({ length: count }, (_, i) =>
    count === 1 ? first : first * (last / first) ** (i / (count - 1)),
  )
}
