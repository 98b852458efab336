import { knownServerTime } from '#/renderer/lib/core/clock-store'
import { DRAFT_DAYS } from '#/shared/limits'
import { isRecord, readItem, storedKeys, storeItem } from './local-storage'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Time beyond which a pause of the app may as well be a clock that was wrong before, in milliseconds. */
const PAUSE_MS = (DRAFT_DAYS + 1) * DAY_MS

/** Storage key of `Times`. */
const TIMES_KEY = 'vignette.draft-times'

/** The times by which drafts are stamped and judged, in milliseconds since 1970. */
export interface DraftTimes {
  now: number
  /** When the app last ran on another day. A draft is old if it was old then: one wrong time deletes nothing. */
  before: number
  /** The time has been in doubt until then: no draft counts as older. */
  since: number
}

/** What is known of the times of former runs. */
interface Times {
  /** The times at the last two runs that were at least a day apart. */
  earlier: number
  latest: number
  /** The first time that was earlier than these. */
  behind?: number
  /** The latest time of all. If it comes again, an earlier one was wrong. */
  highest: number
  since: number
}

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return null
  }
}

/**
 * The time, if the server and this computer agree on the day. Otherwise one of them is wrong, by mistake or to delete the drafts of
 * other servers: null, and drafts stay. Also null for a day if it is earlier than at the last run. The embedded server has the clock
 * of this computer, so its time alone proves nothing: after a time that was in doubt, drafts count from `since`
 * (docs/decisions/0063-unsent-texts.md).
 */
export function draftTimes(): DraftTimes | null {
  const serverTime = knownServerTime()
  if (serverTime === null || Math.abs(serverTime - Date.now()) > DAY_MS) return null
  const now = Math.min(serverTime, Date.now())
  const store = (times: Times) => storeItem(TIMES_KEY, JSON.stringify(times))
  const read = parse(readItem(TIMES_KEY))
  const stored = isTimes(read) ? read : null
  const { earlier, latest, behind, highest, since } = stored ?? startingAt(now)
  if (now < latest - HOUR_MS) {
    if (behind === undefined || now < behind) store({ earlier, latest, behind: now, highest, since })
    else if (now - behind > DAY_MS) store({ ...startingAt(now), highest })
    return null
  }
  const isCorrected = highest - latest > HOUR_MS && now >= highest - HOUR_MS
  if (isCorrected || now - latest > PAUSE_MS) {
    store(startingAt(now))
    return { now, before: now, since: now }
  }
  const isSameDay = now - latest < DAY_MS
  const before = isSameDay ? earlier : latest
  if (!isSameDay) store({ earlier: before, latest: now, highest: Math.max(highest, now), since })
  else if (stored === null || behind !== undefined) store({ earlier: before, latest, highest, since })
  return { now, before, since }
}

function startingAt(now: number): Times {
  return { earlier: now, latest: now, highest: now, since: now }
}

function isTimes(value: unknown): value is Times {
  return (
    isRecord(value) &&
    ['earlier', 'latest', 'highest', 'since'].every((name) => typeof value[name] === 'number')
  )
}

/** The field of a stored draft that says when it was edited; missing if the time is not known. */
export function editStamp(): { editedAt?: number } {
  const times = draftTimes()
  return times === null ? {} : { editedAt: times.now }
}

/** `unstamped`: it was edited while the server's time was not known, or was wrong. */
export function ageOf(editedAt: unknown, { now, before, since }: DraftTimes): 'fresh' | 'old' | 'unstamped' {
  if (typeof editedAt !== 'number' || editedAt > now + DAY_MS) return 'unstamped'
  return before - Math.max(editedAt, since) > DRAFT_DAYS * DAY_MS ? 'old' : 'fresh'
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
