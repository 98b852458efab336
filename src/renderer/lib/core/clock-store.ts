import { useSyncExternalStore } from 'react'

const TICK_MS = 30_000

/** Ignore smaller clock differences, in milliseconds: the Date header has whole seconds and is slightly old. */
const TOLERANCE_MS = 30_000

/** The server's time in the last response that had one, and the time since, by two clocks. In milliseconds. */
let known: { at: number; elapsed: () => number; steadyStart: number } | null = null

/** A server's time after this, the year 3000, is a mistake. In milliseconds. */
const LAST_MS = Date.UTC(3_000, 0)

/** The server's time that screens show. */
let now = Date.now()
let timer: ReturnType<typeof setInterval> | null = null
const subscribers = new Set<() => void>()

/**
 * Measures the time from now, in milliseconds. The monotonic clock may stop while the computer sleeps, so it only
 * replaces this machine's clock if that was set back.
 */
export function stopwatch(): () => number {
  const wallStart = Date.now()
  const steadyStart = performance.now()
  return () => {
    const wall = Date.now() - wallStart
    const steady = performance.now() - steadyStart
    return steady - wall > TOLERANCE_MS ? steady : wall
  }
}

/**
 * How far the server's clock is ahead of this machine's, in milliseconds; 0 for small differences, null while the
 * server's time is unknown.
 */
export function clockOffset(): number | null {
  if (known === null) return null
  const difference = known.at + known.elapsed() - Date.now()
  return Math.abs(difference) < TOLERANCE_MS ? 0 : difference
}

/** The server's current time in milliseconds. This machine's clock may be off by a day. */
export function serverNow(): number {
  return Date.now() + (clockOffset() ?? 0)
}

/** The server's current time in milliseconds; null until a response had it. Independent of this machine's clock. */
export function knownServerTime(): number | null {
  return known === null ? null : known.at + performance.now() - known.steadyStart
}

/** Converts a time of this machine's clock to the server's. */
export function toServerTime(iso: string): string {
  return new Date(Date.parse(iso) + (clockOffset() ?? 0)).toISOString()
}

function tick(): void {
  now = serverNow()
  for (const notify of subscribers) notify()
}

/** The server's time has just been read from a response. In milliseconds. */
export function setServerTime(at: number): void {
  const before = clockOffset() ?? 0
  known = { at, elapsed: stopwatch(), steadyStart: performance.now() }
  if (Math.abs((clockOffset() ?? 0) - before) >= TOLERANCE_MS) tick()
}

/** Reads the server's time from the Date header of a response, if there is one. */
export function recordServerTime({ headers }: Pick<Response, 'headers'>): void {
  const at = Date.parse(headers.get('date') ?? '')
  // With the last day that exists, times a little later are none.
  if (at < LAST_MS) setServerTime(at)
}

function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  if (timer === null) {
    now = serverNow()
    timer = setInterval(tick, TICK_MS)
  }
  return () => {
    subscribers.delete(notify)
    if (subscribers.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }
}

/**
 * The server's current time in milliseconds, updated twice a minute and when this machine's clock turns out to be
 * wrong. All components share one timer.
 */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
