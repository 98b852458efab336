import bcrypt from 'bcryptjs'

/** Lite's default bcrypt cost. */
const LITE_COST = 10

/** A hash that lite computes while it handles a request. */
export type HashTask =
  | { kind: 'hash'; password: string; cost: number }
  | { kind: 'compare'; password: string; hash: string }

export type HashResult = string | boolean

/** Computes a password hash without holding up the database. */
export type ComputeHash = (task: HashTask) => Promise<HashResult>

/** A result that was computed for a request before lite handles it. */
export interface ComputedHash {
  task: HashTask
  result: HashResult
}

/** Lite needs this hash to handle a request, which has to be sent again with its result. */
export class HashNeededError extends Error {
  constructor(readonly task: HashTask) {
    super('The request needs a password hash')
  }
}

interface Supply {
  computed: readonly ComputedHash[]
  needed: HashTask | null
}

const { hash, compare } = bcrypt
/** Of the request that lite handles: it handles one at a time, because the database has one session. */
let current: Supply | undefined

/** Computes a hash, which takes a tenth of a second of the thread that calls it. Throws for a malformed hash. */
export function computeHash(task: HashTask): HashResult {
  return task.kind === 'hash'
    ? bcrypt.hashSync(task.password, task.cost)
    : bcrypt.compareSync(task.password, task.hash)
}

/**
 * Lets lite use computed hashes while it does `work`, instead of computing them. Rejects with a HashNeededError if it needs
 * another one; `work` has then written nothing, because lite hashes before it writes.
 */
export async function withComputedHashes<T>(
  computed: readonly ComputedHash[],
  work: () => Promise<T>,
): Promise<T> {
  const supply: Supply = { computed, needed: null }
  current = supply
  const result = await work().finally(() => {
    current = undefined
  })
  // Lite has turned the error into a response.
  if (supply.needed !== null) throw new HashNeededError(supply.needed)
  return result
}

/**
 * A comparison that always fails and takes as long as with an account's hash: lite hashes passwords of existing accounts
 * only, so the response time would reveal which e-mail addresses have an account.
 */
export function decoyTask(): HashTask {
  const cost = Number(process.env.LITE_AUTH_BCRYPT_COST) || LITE_COST
  return { kind: 'compare', password: '', hash: `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}` }
}

/** Replaces the two functions of bcryptjs that lite calls. Requests without computed hashes still compute them. */
export function supplyHashes(): void {
  Object.assign(bcrypt, {
    hash: async (password: string, cost: number) => {
      const supply = current
      return supply === undefined ? hash(password, cost) : take(supply, { kind: 'hash', password, cost })
    },
    compare: async (password: string, stored: string) => {
      const supply = current
      if (supply === undefined) return compare(password, stored)
      return take(supply, { kind: 'compare', password, hash: stored })
    },
  })
}

function take(supply: Supply, task: HashTask): HashResult {
  const found = supply.computed.find((one) => isSame(one.task, task))
  if (found !== undefined) return found.result
  supply.needed = task
  throw new HashNeededError(task)
}

function isSame(a: HashTask, b: HashTask): boolean {
  if (a.password !== b.password) return false
  if (a.kind === 'hash') return b.kind === 'hash' && a.cost === b.cost
  return b.kind === 'compare' && a.hash === b.hash
}
