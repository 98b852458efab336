/** Times before `now`. */
export type DemoClock = ReturnType<typeof demoClock>

export function demoClock(now: Date) {
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  return {
    minutesAgo,
    hoursAgo: (hours: number) => minutesAgo(hours * 60),
    daysAgo: (days: number) => minutesAgo(days * 24 * 60),
    /**
     * Gives each reaction to an event its time, at growing intervals. Deterministic, so that every seeding looks the same.
     * @param available minutes between the event and now
     */
    reactions: <T>(reactions: readonly T[], available: number, firstAfter: number): [T, Date][] => {
      const last = Math.min(available * 0.9, firstAfter * 40)
      const first = Math.min(firstAfter, last / 2)
      const intervals = Math.max(1, reactions.length - 1)
      return reactions.map((reaction, i) => [
        reaction,
        minutesAgo(available - first * (last / first) ** (i / intervals)),
      ])
    },
  }
}
