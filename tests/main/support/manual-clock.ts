import type { Schedule } from '#/main/timers'

/** A clock that tests advance; due tasks run in order. */
export function manualClock() {
  let now = 0
  let tasks: { at: number; run: () => void }[] = []
  const schedule: Schedule = (milliseconds, run) => {
    const task = { at: now + milliseconds, run }
    tasks.push(task)
    return () => {
      tasks = tasks.filter((other) => other !== task)
    }
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    schedule,
    wait: (milliseconds: number) => new Promise<void>((resolve) => schedule(milliseconds, resolve)),
    /** Milliseconds until the next task; null if there is none. */
    next: () => (tasks.length === 0 ? null : Math.min(...tasks.map((task) => task.at)) - now),
    async advance(milliseconds: number): Promise<void> {
      const end = now + milliseconds
      for (;;) {
        await settle()
        const [due] = tasks.filter((task) => task.at <= end).sort((a, b) => a.at - b.at)
        if (due === undefined) break
        tasks = tasks.filter((task) => task !== due)
        now = due.at
        due.run()
      }
      now = end
    },
  }
}
