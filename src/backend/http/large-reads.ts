import { type Caller, turnKey } from './caller'
import { createFairLane } from './fair-lane'

/** There is no memory for the response until other clients have read theirs. */
export class NoRoomError extends Error {}

/** Reads that wait for memory; beyond that the response is 503. */
const WAITING = { perCaller: 4, total: 40 }

/** A read of the database, again when it failed with a NoRoomError and memory was freed. Null if too many wait. */
export type LargeReads = (caller: Caller, read: () => Promise<Response | null>) => Promise<Response | null>

/** @param freed resolves when memory for responses has been freed */
export function createLargeReads(freed: () => Promise<void>): LargeReads {
  const turns = createFairLane(WAITING)
  return async (caller, read) => {
    const tryAgain = async (): Promise<Response | null> => {
      await freed()
      return caller.isGone() ? null : read().catch(waitForRoom)
    }
    const waitForRoom = (error: unknown) => {
      if (error instanceof NoRoomError) return tryAgain()
      throw error
    }
    return read().catch((error: unknown) => {
      if (!(error instanceof NoRoomError)) throw error
      return turns({ caller: turnKey(caller), isGone: caller.isGone, work: tryAgain })
    })
  }
}
