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

/** The current time in milliseconds, updated twice a minute. All components share one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

/** Ignore smaller clock differences, in milliseconds: the Date header has whole seconds and is slightly old. */
const TOLERANCE_MS = 120_000

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let offset = 0

/** The server's time in the last response, and when it arrived by a clock that nobody can set. */
let measured: { at: number; since: number } | null = null

/** Reads the server's time from the Date header of a response, if there is one. */
export function recordServerTime({ headers }: Pick<Response, 'headers'>): void {
  const at = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(at)) return
  measured = { at, since: performance.now() }
  const difference = at - Date.now()
  offset = Math.abs(difference) < TOLERANCE_MS ? 0 : difference
}

/** The server's current time in milliseconds. This machine's clock may be off by a day. */
export function serverNow(): number {
  return Date.now() + offset
}

/** The server's current time in milliseconds; null until a response had it. Independent of this machine's clock. */
export function knownServerTime(): number | null {
  return measured === null ? null : measured.at + performance.now() - measured.since
}

/** Converts a time of this machine's clock to the server's. */
export function toServerTime(iso: string): string {
  return new Date(Date.parse(iso) + offset).toISOString()
}

/** `useNow` with the server's clock. */
export function useServerNow(): number {
  return useNow() + offset
}
