import { collectGarbage } from '#/backend/collect-garbage'
import { groupBy } from '#/backend/group-by'
import { MEDIA_LIMITS } from '#/shared/limits'
import type { Share } from './shares'

/** A response from this size on, in bytes, counts until its client has read it. */
const COUNTED_BYTES = 64 * 1024

/** Responses up to this size have memory of their own: they never wait for larger ones. */
const SMALL_BYTES = 1024 * 1024

/** Bytes of unread responses: a screen of pictures for several members, and the largest video with the rest of its row. */
const TOTAL_BYTES = { small: 8 * SMALL_BYTES, large: MEDIA_LIMITS.video.characters + 1_000_000 }

/** How long a client may take to read a large response while others wait for the memory, in milliseconds. */
const HOLD_MS = 5_000

/** Whose response it is. */
export interface Reader {
  /** The same for all connections of a caller (`turnKey`). */
  key: string
  /** Disconnects the client. */
  cut(): void
}

/** The memory for responses that clients have not read yet. */
export interface UnreadResponses {
  /** Memory for a response of this size; null when there is not enough. */
  take(reader: Reader, bytes: number): Share | null
  /** How large the next response may be, in bytes. */
  room(): number
  /** Resolves when a large response is no longer held. Meanwhile a client that reads too slowly is disconnected. */
  freed(): Promise<void>
}

interface Held {
  reader: Reader
  bytes: number
  since: number
}

export function createUnreadResponses(): UnreadResponses {
  /** Oldest first. */
  const small = new Set<Held>()
  const large = new Set<Held>()
  const waiting = new Set<() => void>()
  let timer: NodeJS.Timeout | null = null

  const hold = (responses: Set<Held>, held: Held): Share => {
    responses.add(held)
    return {
      free: () => {
        if (responses.delete(held) && responses === large) setImmediate(resume)
      },
    }
  }

  /** In a turn of its own, when nothing refers to the freed response any more. */
  const resume = () => {
    if (waiting.size === 0) return
    collectGarbage()
    for (const resolve of waiting) resolve()
    waiting.clear()
  }

  const cutSlow = () => {
    timer = null
    const [oldest] = large
    if (oldest === undefined || waiting.size === 0) return
    const left = oldest.since + HOLD_MS - performance.now()
    if (left <= 0) oldest.reader.cut()
    timer = setTimeout(cutSlow, Math.max(left, 100)).unref()
  }

  return {
    take: (reader, bytes) => {
      const held = { reader, bytes, since: performance.now() }
      if (bytes < COUNTED_BYTES) return { free: () => undefined }
      if (bytes > SMALL_BYTES) {
        // A response that is alone always fits: as JSON, rows are larger than the database counted.
        const fits = large.size === 0 || sizeOf(large) + bytes <= TOTAL_BYTES.large
        return fits ? hold(large, held) : null
      }
      if (sizeOf(small) + bytes > TOTAL_BYTES.small && !cutLargest(small, held)) return null
      return hold(small, held)
    },
    room: () => Math.max(SMALL_BYTES, TOTAL_BYTES.large - sizeOf(large)),
    freed: () =>
      new Promise((resolve) => {
        if (large.size === 0) return resolve()
        waiting.add(resolve)
        if (timer === null) cutSlow()
      }),
  }
}

function sizeOf(responses: Iterable<Held>): number {
  let sum = 0
  for (const { bytes } of responses) sum += bytes
  return sum
}

/**
 * Disconnects the client with the oldest response of the reader who holds most; false if that is not more than the
 * reader of the new response would hold.
 */
function cutLargest(responses: Set<Held>, next: Held): boolean {
  const byReader = groupBy(responses, ({ reader }) => reader.key)
  const own = sizeOf(byReader.get(next.reader.key) ?? [])
  let largest: Held[] = []
  for (const all of byReader.values()) if (sizeOf(all) > sizeOf(largest)) largest = all
  const [oldest] = largest
  if (oldest === undefined || sizeOf(largest) <= own + next.bytes) return false
  responses.delete(oldest)
  oldest.reader.cut()
  return true
}
