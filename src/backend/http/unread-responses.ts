import { collectGarbage } from '#/backend/collect-garbage'
import { groupBy } from '#/backend/group-by'
import { MEDIA_LIMITS } from '#/shared/limits'
import type { Share } from './shares'

/** Smaller responses are not counted. */
const COUNTED_BYTES = 64 * 1024

/** Responses up to this size have separate memory, so that they never wait for larger ones. */
const SMALL_BYTES = 1024 * 1024

/** Enough for a screen of pictures for several members, and for a row with the largest video. */
const TOTAL_BYTES = { small: 8 * SMALL_BYTES, large: MEDIA_LIMITS.video.characters + 1_000_000 }

/** A client that takes longer to read a large response is disconnected if others wait for the memory. */
const READ_MS = 5_000

/** The client that reads a response. */
export interface Reader {
  /** The `callerKey`, which all connections of a caller share. */
  key: string
  disconnect(): void
}

/** The memory for responses that clients have not read yet. */
export interface UnreadResponses {
  /** Reserves memory for a response; null if there is not enough. */
  take(reader: Reader, bytes: number): Share | null
  /** Largest size of the next response, in bytes. */
  availableBytes(): number
  /** Resolves when memory of a large response was freed. Until then, disconnects clients that read too slowly. */
  freed(): Promise<void>
}

interface UnreadResponse {
  reader: Reader
  bytes: number
  since: number
}

export function createUnreadResponses(): UnreadResponses {
  /** Oldest first. */
  const small = new Set<UnreadResponse>()
  const large = new Set<UnreadResponse>()
  const waiting = new Set<() => void>()
  let timer: NodeJS.Timeout | null = null

  const add = (responses: Set<UnreadResponse>, response: UnreadResponse): Share => {
    responses.add(response)
    return {
      free: () => {
        // In the next iteration of the event loop, nothing refers to the response.
        if (responses.delete(response) && responses === large) setImmediate(resume)
      },
    }
  }

  const resume = () => {
    if (waiting.size === 0) return
    collectGarbage()
    for (const resolve of waiting) resolve()
    waiting.clear()
  }

  const disconnectSlow = () => {
    timer = null
    const [oldest] = large
    if (oldest === undefined || waiting.size === 0) return
    const left = oldest.since + READ_MS - performance.now()
    if (left <= 0) oldest.reader.disconnect()
    timer = setTimeout(disconnectSlow, Math.max(left, 100)).unref()
  }

  return {
    take: (reader, bytes) => {
      const response = { reader, bytes, since: performance.now() }
      if (bytes < COUNTED_BYTES) return { free: () => undefined }
      if (bytes > SMALL_BYTES) {
        // A single response always fits, because its JSON is larger than the rows that the database counted.
        const fits = large.size === 0 || sizeOf(large) + bytes <= TOTAL_BYTES.large
        return fits ? add(large, response) : null
      }
      if (sizeOf(small) + bytes > TOTAL_BYTES.small && !disconnectLargest(small, response)) return null
      return add(small, response)
    },
    availableBytes: () => Math.max(SMALL_BYTES, TOTAL_BYTES.large - sizeOf(large)),
    freed: () =>
      new Promise((resolve) => {
        if (large.size === 0) return resolve()
        waiting.add(resolve)
        if (timer === null) disconnectSlow()
      }),
  }
}

function sizeOf(responses: Iterable<UnreadResponse>): number {
  let sum = 0
  for (const { bytes } of responses) sum += bytes
  return sum
}

/**
 * Disconnects the oldest response of the reader with the most memory. Returns false if the reader of the new response
 * would use at least as much.
 */
function disconnectLargest(responses: Set<UnreadResponse>, next: UnreadResponse): boolean {
  const byReader = groupBy(responses, ({ reader }) => reader.key)
  const own = sizeOf(byReader.get(next.reader.key) ?? [])
  let largest: UnreadResponse[] = []
  for (const all of byReader.values()) if (sizeOf(all) > sizeOf(largest)) largest = all
  const [oldest] = largest
  if (oldest === undefined || sizeOf(largest) <= own + next.bytes) return false
  responses.delete(oldest)
  oldest.reader.disconnect()
  return true
}
