import { STRANGERS } from '#/backend/access/caller'
import { createQueue, type Waiting } from '#/backend/base/queue'
import {
  type ComputedHash,
  type ComputeHash,
  decoyTask,
  HashNeededError,
  type HashTask,
} from '#/backend/database/password-hashes'

/** Sends a call to lite in a turn of the database. */
export type SendHashes = (hashes: readonly ComputedHash[]) => Promise<Response>

/** A new password takes two: it is compared with the old one, then hashed. */
const HASHES_MAX = 2

/**
 * Sends calls that may need password hashes, each a tenth of a second of processor time. A hash is computed after the turn, while others
 * have theirs; then the call is sent again with the result.
 */
export function createHashCalls(compute: ComputeHash) {
  const queue = createQueue()

  const send = async (call: SendHashes, waiting: Waiting, hashes: ComputedHash[] = []): Promise<Response> => {
    const outcome = await call(hashes).catch(neededTask)
    if (outcome instanceof Response) return outcome
    if (hashes.length === HASHES_MAX) throw new Error('Lite needs too many password hashes for a call')
    const result = await queue(() => compute(outcome), waiting)
    return send(call, waiting, [...hashes, { task: outcome, result }])
  }

  /**
   * Signs in with one hash and two turns for every e-mail. Hashes of accounts take turns with those of made-up e-mails, which together
   * are one caller, so that a flood of these keeps no member from signing in. A wrong password waits as long as a made-up e-mail. The
   * first of the two turns computes: a turn that waits for a later one would never end.
   */
  const signIn = async (call: SendHashes, email: string, isGone: () => boolean): Promise<Response> => {
    const outcome = await call([]).catch(neededTask)
    if (outcome instanceof Response && outcome.status >= 500) return outcome
    const isAccount = !(outcome instanceof Response)
    const task = isAccount ? outcome : decoyTask()
    const own = { caller: isAccount ? `account ${email}` : STRANGERS, isGone }
    let result: ReturnType<ComputeHash> | undefined
    const computeOnce = () => (result ??= compute(task))
    const hash = queue(computeOnce, own)
    const turn = isAccount ? queue(computeOnce, { caller: STRANGERS, isGone }) : hash
    turn.catch(() => undefined)
    const response = await send(call, own, [{ task, result: await hash }])
    if (!response.ok) await turn
    return response
  }

  return { send, signIn }
}

function neededTask(error: unknown): HashTask {
  if (error instanceof HashNeededError) return error.task
  throw error
}
