import { MEDIA_LIMITS } from '#/shared/limits'
import { createShares, type Share } from './shares'

/** A response from this size on, in bytes, counts until its client has read it. */
const LARGE_BYTES = 64 * 1024

/** Bytes of unread responses: two of the largest videos. */
const TOTAL_BYTES = 2 * MEDIA_LIMITS.video.characters

/** A response of this size is read from the database however many unread ones there are. */
const ALWAYS_BYTES = 1024 * 1024

/** The memory for responses that clients have not read yet. */
export interface UnreadResponses {
  /** Memory for a response of this size to a caller at this network address; null when there is not enough. */
  take(address: string, bytes: number): Share | null
  /** How large the next response may be, in bytes. */
  room(): number
}

export function createUnreadResponses(): UnreadResponses {
  const shares = createShares({ total: TOTAL_BYTES, perCaller: TOTAL_BYTES })
  const nothing = { free: () => undefined }
  return {
    take: (address, bytes) => (bytes < LARGE_BYTES ? nothing : shares.take(address, bytes)),
    room: () => Math.max(ALWAYS_BYTES, shares.left()),
  }
}
