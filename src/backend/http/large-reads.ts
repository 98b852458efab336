import { type Caller, callerKey } from './caller'
import { createFairQueue } from './fair-queue'

/** There is no memory for the response until clients have read other responses. */
export class ResponsesFullError extends Error {}

/** Reads that may wait for memory; beyond that the response is 503. */
const WAITING = { perCaller: 4, total: 40 }

/** Runs a read, and retries it when memory is freed if it fails with a ResponsesFullError. Null if too many reads wait. */
export type LargeReads = (caller: Caller, read: () => Promise<Response | null>) => Promise<Response | null>

/** @param freed resolves when memory for responses has been freed */
export function createLargeReads(freed: () => Promise<void>): LargeReads {
  const turns = createFairQueue(WAITING)
  return async (caller, read) => {
    /** Resolves with 'full' if there is no memory for the response. */
    const readIfFits = () =>
      read().catch((error: unknown) => {
        if (error instanceof ResponsesFullError) return 'full' as const
        throw error
      })
    const retry = async (): Promise<Response | null> => {
      for (;;) {
        await freed()
        if (caller.isGone()) return null
        const result = await readIfFits()
        if (result !== 'full') return result
      }
    }
    const result = await readIfFits()
    if (result !== 'full') return result
    return turns({ caller: callerKey(caller), isGone: caller.isGone, work: retry })
  }
}
