import { knownServerTime } from '#/renderer/lib/core/clock-store'
import { DRAFT_DAYS } from '#/shared/limits'
import { isRecord, readItem, storedKeys, storeItem } from './local-storage'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/**
 * Storage key of the server's times at the last two runs that were at least a day apart, and of the first run whose time was earlier
 * than these.
 */
const TIMES_KEY = 'vignette.draft-times'

/** The server's times by which drafts are stamped and judged, in milliseconds since 1970. */
export interface DraftTimes {
  now: number
  /** When the app last ran on another day. A draft is old if it was old then: one wrong time deletes nothing. */
  before: number
}

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return null
  }
}

/**
 * The earlier of the server's time and this computer's: a server that is ahead, by mistake or to delete the drafts of other servers,
 * makes no draft old. Null while the server's time is not known, and for a day if it is earlier than at the last run, because then one of the two is
 * wrong. The embedded server has the clock of this computer, so its time alone proves nothing either
 * (docs/decisions/0063-unsent-texts.md).
 */
export function draftTimes(): DraftTimes | null {
  const serverTime = knownServerTime()
  if (serverTime === null) return null
  const now = Math.min(serverTime, Date.now())
  const store = (...times: number[]) => storeItem(TIMES_KEY, JSON.stringify(times))
  const stored = parse(readItem(TIMES_KEY))
  const [earlier = now, latest = now, behind]: number[] = isTimes(stored) ? stored : []
  if (now < latest - HOUR_MS) {
    if (behind === undefined || now < behind) store(earlier, latest, now)
    else if (now - behind > DAY_MS) store(now, now)
    return null
  }
  const isSameDay = now - latest < DAY_MS
  const before = isSameDay ? earlier : latest
  if (!isSameDay) store(before, now)
  else if (!isTimes(stored) || behind !== undefined) store(before, latest)
  return { now, before }
}

function isTimes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((time) => typeof time === 'number')
}

/** The field of a stored draft that says when it was edited; missing if the server's time is not known. */
export function editStamp(): { editedAt?: number } {
  const times = draftTimes()
  return times === null ? {} : { editedAt: times.now }
}

/** `unstamped`: it was edited while the server's time was not known, or was wrong. */
export function ageOf(editedAt: unknown, { now, before }: DraftTimes): 'fresh' | 'old' | 'unstamped' {
  if (typeof editedAt !== 'number' || editedAt > now + DAY_MS) return 'unstamped'
  return before - editedAt > DRAFT_DAYS * DAY_MS ? 'old' : 'fresh'
}

/** Removes the drafts with this key prefix, of all members and servers, that are old, and stamps drafts without a time. */
export function removeOldItems(prefix: string, times: DraftTimes): void {
  for (const key of storedKeys(prefix)) {
    const fields = parse(readItem(key))
    const age = isRecord(fields) ? ageOf(fields.editedAt, times) : 'old'
    if (age === 'old') storeItem(key, null)
    if (age === 'unstamped' && isRecord(fields))
      storeItem(key, JSON.stringify({ ...fields, editedAt: times.now }))
  }
}
