/** Node's words for troubles of the machine, not of the data: nothing is set aside for them. */
const MACHINE_CODES = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
])

/** PostgreSQL's: insufficient resources, system error and I/O error. */
const MACHINE_SQLSTATE = /^(53...|58000|58030)$/

/** PostgreSQL's for data it cannot make sense of: internal errors, corruption, and a file of its own that is missing. */
const DAMAGE_SQLSTATE = /^(XX...|58P01)$/

/** A database that opened and could not be brought to where it can serve; `cause` says why. */
export class PrepareError extends Error {
  override readonly name = 'PrepareError'

  constructor(cause: unknown) {
    super('The database opened, but could not be prepared', { cause })
  }
}

export function isMachineError(error: unknown): boolean {
  const code = codeOf(error)
  return code !== null && (MACHINE_CODES.has(code) || MACHINE_SQLSTATE.test(code))
}

/** Whether the data is to blame, and not the statements that were run on it: PostgreSQL says so, or breaks down. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code === null ? error instanceof WebAssembly.RuntimeError : DAMAGE_SQLSTATE.test(code)
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
