import { type Caller, callerKey } from './caller'
import { createFairQueue } from './fair-queue'
import { keyOf, RowsTooLargeError, readInParts, type SendRead } from './read-in-parts'

/** There is no memory for the response until clients have read other responses. */
export class ResponsesFullError extends Error {}

/** Reads that may wait for memory, or for others to be read in parts; beyond that the response is 503. */
const WAITING = { perCaller: 4, total: 40 }

/**
 * Sends a read. Retries it when memory is freed if it fails with a ResponsesFullError, and reads it in parts if it fails with
 * a RowsTooLargeError. Null if too many reads wait.
 */
export type LargeReads = (caller: Caller, request: Request, send: SendRead) => Promise<Response | null>

/** @param freed resolves when memory for responses has been freed */
export function createLargeReads(freed: () => Promise<void>): LargeReads {
  const turns = createFairQueue(WAITING)
  // One at a time, because two that hold a part of the memory each would wait for each other.
  const partTurns = createFairQueue(WAITING)
  return async (caller, request, send) => {
    const waiter = { caller: callerKey(caller.member), isGone: caller.isGone }
    /** Resolves with 'full' if there is no memory for the response. */
    const sendIfFits: (...args: Parameters<SendRead>) => Promise<Response | null | 'full'> = (...args) =>
      send(...args).catch((error: unknown) => {
        if (error instanceof ResponsesFullError) return 'full'
        throw error
      })
    const sendWhenFits: SendRead = async (...args) => {
      for (;;) {
        const result = await sendIfFits(...args)
        if (result !== 'full') return result
        await freed()
        if (caller.isGone()) return null
      }
    }
    try {
      const result = await sendIfFits(request, 0)
      if (result !== 'full') return result
      const retry = async () => {
        await freed()
        return caller.isGone() ? null : sendWhenFits(request, 0)
      }
      return await turns({ ...waiter, work: retry })
    } catch (error) {
      const key = error instanceof RowsTooLargeError ? keyOf(request) : null
      if (key === null) throw error
      return partTurns({ ...waiter, work: () => readInParts(request, key, sendWhenFits) })
    }
  }
}
