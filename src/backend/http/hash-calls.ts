import {
  type ComputedHash,
  decoyTask,
  HashNeededError,
  type HashResult,
  type HashTask,
} from '#/backend/database/password-hashes'

/** Computes a password hash without holding up the database. */
export type ComputeHash = (task: HashTask) => Promise<HashResult>

/** A new password takes two: it is compared with the old one, then hashed. */
const HASHES_MAX = 2

/**
 * Sends a call to lite in a turn of the database. Each hash that lite needs is computed after the turn, while others have
 * theirs; then the call is sent again with the result. `isSignIn` makes the call take one hash and two turns for every e-mail.
 */
export async function sendWithHashes(
  send: (hashes: readonly ComputedHash[]) => Promise<Response | null>,
  { compute, isSignIn }: { compute: ComputeHash; isSignIn: boolean },
): Promise<Response | null> {
  const hashes: ComputedHash[] = []
  for (;;) {
    const outcome = await send(hashes).catch(neededTask)
    const isDone = outcome instanceof Response && (outcome.status >= 500 || !isSignIn || hashes.length > 0)
    if (outcome === null || isDone) return outcome
    if (hashes.length === HASHES_MAX) throw new Error('Lite needs too many password hashes for a call')
    const task = outcome instanceof Response ? decoyTask() : outcome
    hashes.push({ task, result: await compute(task) })
  }
}

function neededTask(error: unknown): HashTask {
  if (error instanceof HashNeededError) return error.task
  throw error
}
