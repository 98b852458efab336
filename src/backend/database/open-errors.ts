/**
 * Problems of the machine, for which the data is not set aside: Node's codes, and PostgreSQL's for insufficient resources, system
 * and I/O errors.
 */
const MACHINE_CODE = /^(EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|EMFILE|ENFILE|ENOMEM|53...|58000|58030)$/

/** Internal errors, corruption and missing files. */
const DAMAGE_SQLSTATE = /^(XX...|58P01)$/

/** A database opened but could not be prepared because of the `cause`. */
export class PrepareError extends Error {
  override readonly name = 'PrepareError'

  constructor(cause: unknown) {
    super('The database opened, but could not be prepared', { cause })
  }
}

export function isMachineError(error: unknown): boolean {
  const code = codeOf(error)
  return code !== null && MACHINE_CODE.test(code)
}

/** Whether the data caused the error, rather than the statements: PostgreSQL reports damage or crashes. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code === null ? error instanceof WebAssembly.RuntimeError : DAMAGE_SQLSTATE.test(code)
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
